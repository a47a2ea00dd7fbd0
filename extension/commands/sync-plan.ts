import { QuickPickItemKind, ThemeIcon, window, type QuickPick, type QuickPickItem } from 'vscode'
import { isCancelled } from '../../shared/base/abort.ts'
import type { Plan } from '../../shared/model/plan.ts'
import { planCounts, planRows, planWords } from '../../shared/view/plan-rows.ts'
import { countOf } from '../../shared/view/words.ts'
import { causeOf } from '../short-shas.ts'

type Item = QuickPickItem & { readonly choice?: 'sync' | 'prune' }

/** What the person agreed to. */
export type Agreed = { readonly plan: Plan; readonly prune: boolean }

export type PlanQuestion = {
  readonly application: string
  readonly context: string
  /** False where the plan is only to be seen. */
  readonly offerSync: boolean
  plan(options: { readonly prune: boolean; readonly signal: AbortSignal }): Promise<Plan>
}

/** Shows a plan whole, with its options, for the person to confirm. Undefined where they leave it; leaving cancels. */
export async function askForPlan(question: PlanQuestion): Promise<Agreed | undefined> {
  const pick = window.createQuickPick<Item>()
  const abort = new AbortController()
  let prune = false
  let plan: Plan | undefined
  pick.title = question.offerSync ? `Sync ${question.application}` : `Plan of ${question.application}`
  pick.ignoreFocusOut = true
  const load = async (): Promise<void> => {
    pick.busy = true
    pick.placeholder = `Planning on ${question.context}…`
    plan = await question.plan({ prune, signal: abort.signal })
    show(pick, plan, prune, question)
    pick.busy = false
  }
  pick.show()
  try {
    return await new Promise<Agreed | undefined>((resolve, reject) => {
      const attempt = (): void => void load().catch((error: unknown) => reject(asError(error)))
      pick.onDidHide(() => resolve(undefined))
      pick.onDidAccept(() => {
        const choice = pick.selectedItems[0]?.choice
        if (choice === 'sync' && plan !== undefined) resolve({ plan, prune })
        if (choice !== 'prune' || pick.busy) return
        prune = !prune
        attempt()
      })
      attempt()
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

function show(pick: QuickPick<Item>, plan: Plan, prune: boolean, { context, offerSync }: PlanQuestion): void {
  const { create, change, prune: pruned } = planCounts(plan)
  const count = create + change + pruned
  const rows = planRows(plan)
  const items: Item[] = []
  if (offerSync && count > 0) {
    const label = `Sync ${countOf(count, 'resource')} on ${context}`
    items.push({ label, description: planWords(plan), iconPath: new ThemeIcon('sync'), choice: 'sync' })
  }
  if (prune || plan.steps.some(({ action }) => action === 'prune')) {
    items.push({
      label: prune ? 'Prune: yes' : 'Prune: no',
      description: prune ? 'what Git no longer has is deleted' : 'what Git no longer has is left alone',
      iconPath: new ThemeIcon(prune ? 'pass-filled' : 'circle-large-outline'),
      choice: 'prune',
    })
  }
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
  if (create + change + prune > 0) return `On ${context} a sync would: ${planWords(plan)}`
  return refused > 0
    ? `On ${context} nothing would be done: ${planWords(plan)}`
    : 'It is in sync; a sync would do nothing'
}

/** What a prune deletes, one line each. */
export function pruneLines(plan: Plan): readonly string[] {
  return planRows(plan)
    .filter(({ mark, readiness }) => mark.word === 'prune' && readiness === 'ready')
    .map(({ label }) => label)
}
