import { QuickPickItemKind, ThemeIcon, window, type QuickPickItem } from 'vscode'
import type { Plan } from '../../shared/model/plan.ts'
import { planCounts, planRows, planWords } from '../../shared/view/plan-rows.ts'
import { countOf } from '../../shared/view/words.ts'

export type Choice = 'sync' | 'toggle-prune' | 'worktree'

type Item = QuickPickItem & { readonly choice?: Choice }

/** How many resources a plan would write or delete. */
export function stepsToRun(plan: Plan): number {
  const { create, change, prune } = planCounts(plan)
  return create + change + prune
}

/** Shows a plan whole, with its options, for the person to confirm. Undefined where they leave it. */
export async function confirmPlan(
  plan: Plan,
  { application, context, prune }: { readonly application: string; readonly context: string; readonly prune: boolean },
): Promise<Choice | undefined> {
  const count = stepsToRun(plan)
  const rows = planRows(plan)
  const canPrune = plan.steps.some(({ action }) => action === 'prune')
  const items: Item[] = []
  if (count > 0) {
    items.push({
      label: `Sync ${countOf(count, 'resource')} on ${context}`,
      description: planWords(plan),
      iconPath: new ThemeIcon('sync'),
      choice: 'sync',
    })
  }
  if (canPrune || prune) {
    items.push({
      label: prune ? 'Prune: yes' : 'Prune: no',
      description: prune ? 'what Git no longer has is deleted' : 'what Git no longer has is left alone',
      iconPath: new ThemeIcon(prune ? 'pass-filled' : 'circle-large-outline'),
      choice: 'toggle-prune',
    })
  }
  items.push({ label: countOf(rows.length, 'step'), kind: QuickPickItemKind.Separator })
  for (const row of rows) {
    items.push({
      label: row.label,
      description: `${row.mark.word} · ${row.obstacle === '' ? row.detail : row.obstacle}`,
      iconPath: new ThemeIcon(row.mark.codicon),
    })
  }
  const title = `Sync ${application}`
  const placeHolder = count === 0 ? 'Nothing would be done' : `On ${context} a sync would: ${planWords(plan)}`
  for (;;) {
    const picked: Item | undefined = await window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true })
    if (picked === undefined || picked.choice !== undefined) return picked?.choice
    // A row of the plan is there to be read.
  }
}

/** What a prune deletes, one line each. */
export function pruneLines(plan: Plan): readonly string[] {
  return planRows(plan)
    .filter(({ mark, readiness }) => mark.word === 'prune' && readiness === 'ready')
    .map(({ label }) => label)
}
