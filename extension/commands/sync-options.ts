import { l10n, ThemeIcon, type QuickPickItem } from 'vscode'
import type { SyncParams } from '../../shared/agent/contract.ts'
import type { Plan } from '../../shared/model/plan.ts'

/** What a person may switch on for one sync. */
export type SyncToggles = {
  readonly prune: boolean
  readonly force: boolean
  readonly replace: boolean
  readonly confirmed: boolean
  readonly allowEmpty: boolean
  readonly retry: boolean
}

export type Toggle = keyof SyncToggles

export const NO_TOGGLES: SyncToggles = {
  prune: false,
  force: false,
  replace: false,
  confirmed: false,
  allowEmpty: false,
  retry: false,
}

/** Tries of a sync whose failures are to be tried anew; Argo CD's own default. */
const RETRIES = 5

/** The part of a request that switches stand for. */
export function toggledParams(on: SyncToggles): Pick<SyncParams, 'prune' | 'force' | 'replace' | 'confirmed'> {
  return {
    prune: on.prune,
    ...(on.force ? { force: true } : {}),
    ...(on.replace ? { replace: true } : {}),
    ...(on.confirmed ? { confirmed: true } : {}),
    ...(on.allowEmpty ? { allowEmpty: true } : {}),
    ...(on.retry ? { retryLimit: RETRIES } : {}),
  }
}

type Offer = {
  readonly toggle: Toggle
  readonly title: string
  readonly yes: string
  readonly no: string
  /** Whether the plan alone gives reason to offer it; the others come on request. */
  readonly asked: (plan: Plan) => boolean
}

function offers(): readonly Offer[] {
  return [
    {
      toggle: 'prune',
      title: l10n.t('Prune'),
      yes: l10n.t('what Git no longer has is deleted'),
      no: l10n.t('what Git no longer has is left alone'),
      asked: (plan) => plan.steps.some(({ action }) => action === 'prune'),
    },
    {
      toggle: 'confirmed',
      title: l10n.t('Confirm prunes'),
      yes: l10n.t('prunes that ask for a confirmation have it'),
      no: l10n.t('prunes that ask for a confirmation wait for it'),
      asked: (plan) => isRefused(plan, 'prune-confirmed'),
    },
    {
      toggle: 'allowEmpty',
      title: l10n.t('Allow empty'),
      yes: l10n.t('everything may be deleted'),
      no: l10n.t('a sync that would delete everything is refused'),
      asked: (plan) => isRefused(plan, 'prune-not-all'),
    },
    {
      toggle: 'force',
      title: l10n.t('Force'),
      yes: l10n.t('what the server will not change is deleted and made anew'),
      no: l10n.t('what the server will not change fails'),
      asked: (plan) => plan.steps.some(({ effects }) => effects.some(({ kind }) => kind === 'replacement')),
    },
    {
      toggle: 'replace',
      title: l10n.t('Replace'),
      yes: l10n.t('objects are replaced whole'),
      no: l10n.t('objects are applied, fields of others stay'),
      asked: () => false,
    },
    {
      toggle: 'retry',
      title: l10n.t('Retry'),
      yes: l10n.t('a sync that fails is tried {0} times more', RETRIES),
      no: l10n.t('a sync that fails has failed'),
      asked: () => false,
    },
  ]
}

function isRefused(plan: Plan, rule: string): boolean {
  return plan.steps.some(({ readiness }) => readiness.kind === 'refused' && readiness.rule === rule)
}

export type ToggleItem = QuickPickItem & { readonly choice: Toggle | 'more' }

/** The switches as lines of a quick pick: those that the plan asks for, those that are on, and all of them on request. */
export function toggleItems(plan: Plan, on: SyncToggles, all: boolean): readonly ToggleItem[] {
  const every = offers()
  const shown = every.filter((offer) => all || on[offer.toggle] || offer.asked(plan))
  const items = shown.map(({ toggle, title, yes, no }): ToggleItem => ({
    label: `${title}: ${on[toggle] ? l10n.t('yes') : l10n.t('no')}`,
    description: on[toggle] ? yes : no,
    iconPath: new ThemeIcon(on[toggle] ? 'pass-filled' : 'circle-large-outline'),
    choice: toggle,
  }))
  if (shown.length === every.length) return items
  return [...items, { label: l10n.t('More options…'), iconPath: new ThemeIcon('ellipsis'), choice: 'more' }]
}
