import { l10n, QuickPickItemKind, ThemeIcon, window, type QuickPick, type QuickPickItem } from 'vscode'
import { isCancelled } from '../../shared/base/abort.ts'
import type { Plan } from '../../shared/model/plan.ts'
import { planCounts, planRows, planWords } from '../../shared/view/plan-rows.ts'
import { countOf } from '../../shared/view/words.ts'
import { causeOf } from '../short-shas.ts'
import { NO_TOGGLES, toggleItems, type SyncToggles, type Toggle } from './sync-options.ts'

type Item = QuickPickItem & { readonly choice?: 'go' | 'more' | Toggle }

/** What the person agreed to. */
export type Agreed = { readonly plan: Plan; readonly toggles: SyncToggles }

export type PlanQuestion = {
  readonly title: string
  readonly context: string
  /** What the button says of so many resources; undefined where the plan is only to be seen. */
  readonly button: ((resources: string) => string) | undefined
  /** False where the plan takes no options. */
  readonly options: boolean
  plan(options: { readonly toggles: SyncToggles; readonly signal: AbortSignal }): Promise<Plan>
}

type Shown = { readonly plan: Plan; readonly toggles: SyncToggles; readonly all: boolean }

/** Shows a plan whole, with its options, for the person to confirm. Undefined where they leave it; leaving cancels. */
export async function askForPlan(question: PlanQuestion): Promise<Agreed | undefined> {
  const pick = window.createQuickPick<Item>()
  const abort = new AbortController()
  let shown: Shown | undefined
  pick.title = question.title
  pick.ignoreFocusOut = true
  const load = async (toggles: SyncToggles, all: boolean): Promise<void> => {
    pick.busy = true
    pick.placeholder = l10n.t('Planning on {0}…', question.context)
    shown = { plan: await question.plan({ toggles, signal: abort.signal }), toggles, all }
    show(pick, shown, question)
    pick.busy = false
  }
  pick.show()
  try {
    return await new Promise<Agreed | undefined>((resolve, reject) => {
      const attempt = (toggles: SyncToggles, all: boolean): void =>
        void load(toggles, all).catch((error: unknown) => reject(asError(error)))
      pick.onDidHide(() => resolve(undefined))
      pick.onDidAccept(() => {
        const choice = pick.selectedItems[0]?.choice
        if (choice === undefined || shown === undefined || pick.busy) return
        const { plan, toggles } = shown
        if (choice === 'go') return resolve({ plan, toggles })
        if (choice === 'more') {
          shown = { ...shown, all: true }
          return show(pick, shown, question)
        }
        attempt({ ...toggles, [choice]: !toggles[choice] }, shown.all)
      })
      attempt(NO_TOGGLES, false)
    })
  } catch (error) {
    if (isCancelled(error)) return undefined
    throw error
  } finally {
    abort.abort()
    pick.dispose()
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

function show(pick: QuickPick<Item>, { plan, toggles, all }: Shown, { context, button, options }: PlanQuestion): void {
  const { create, change, prune } = planCounts(plan)
  const count = create + change + prune
  const rows = planRows(plan)
  const items: Item[] = []
  if (button !== undefined && count > 0) {
    const label = button(countOf(count, 'resource'))
    items.push({ label, description: planWords(plan), iconPath: new ThemeIcon('sync'), choice: 'go' })
  }
  if (options) items.push(...toggleItems(plan, toggles, all))
  if (rows.length > 0) items.push({ label: countOf(rows.length, 'step'), kind: QuickPickItemKind.Separator })
  const told = new Set<string>()
  for (const { label, mark, detail, obstacle, readiness } of rows) {
    const description = obstacle === '' ? `${mark.word} · ${detail}` : `${mark.word} · ${readiness}`
    // A reason that many share is told once, on a line of its own.
    const reason = obstacle === '' || told.has(obstacle) ? {} : { detail: causeOf(obstacle) }
    told.add(obstacle)
    items.push({ label, description, iconPath: new ThemeIcon(mark.codicon), ...reason })
  }
  pick.items = items
  pick.placeholder = placeholderOf(plan, context)
}

function placeholderOf(plan: Plan, context: string): string {
  const { create, change, prune, refused } = planCounts(plan)
  if (create + change + prune > 0) return l10n.t('On {0} a sync would: {1}', context, planWords(plan))
  return refused > 0
    ? l10n.t('On {0} nothing would be done: {1}', context, planWords(plan))
    : l10n.t('It is in sync; a sync would do nothing')
}
