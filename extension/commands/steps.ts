import { QuickInputButtons, window, type Disposable, type QuickPickItem } from 'vscode'

export type Answer<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'back' }
  | { readonly kind: 'left' }

/** Where a question stands among the others. */
export type StepPlace = { readonly title: string; readonly step: number; readonly totalSteps: number }

/** One question of a form: asks with what is known so far, and adds its answer. */
export type Question<T> = (known: T, place: StepPlace) => Promise<Answer<T>>

/** Asks one question after another; *Back* goes to the one before. Undefined where the person leaves. */
export async function askSteps<T>(title: string, first: T, questions: readonly Question<T>[]): Promise<T | undefined> {
  const known = [first]
  for (let index = 0; index < questions.length;) {
    const answer = await questions[index]?.(known[index] ?? first, {
      title,
      step: index + 1,
      totalSteps: questions.length,
    })
    if (answer === undefined || answer.kind === 'left') return undefined
    if (answer.kind === 'back') index = Math.max(0, index - 1)
    else {
      known[index + 1] = answer.value
      index += 1
    }
  }
  return known[questions.length]
}

/** A line of text. @param problem why a text is none; undefined where it is one */
export async function askText(
  place: StepPlace,
  prompt: string,
  value: string,
  problem: (text: string) => string | undefined,
): Promise<Answer<string>> {
  const box = window.createInputBox()
  Object.assign(box, place, { prompt, value, ignoreFocusOut: true })
  if (place.step > 1) box.buttons = [QuickInputButtons.Back]
  box.validationMessage = value === '' ? undefined : problem(value)
  return until(box, (resolve) => [
    box.onDidChangeValue((text) => {
      box.validationMessage = problem(text)
    }),
    box.onDidTriggerButton(() => resolve({ kind: 'back' })),
    box.onDidAccept(() => {
      box.validationMessage = problem(box.value)
      if (box.validationMessage === undefined) resolve({ kind: 'value', value: box.value })
    }),
  ])
}

export type Choice<T> = QuickPickItem & { readonly value: T }

/** One of several. */
export async function askChoice<T>(
  place: StepPlace,
  placeholder: string,
  choices: readonly Choice<T>[],
): Promise<Answer<T>> {
  const pick = window.createQuickPick<Choice<T>>()
  Object.assign(pick, place, { placeholder, items: choices, ignoreFocusOut: true, matchOnDescription: true })
  if (place.step > 1) pick.buttons = [QuickInputButtons.Back]
  return until(pick, (resolve) => [
    pick.onDidTriggerButton(() => resolve({ kind: 'back' })),
    pick.onDidAccept(() => {
      const [chosen] = pick.selectedItems
      if (chosen !== undefined) resolve({ kind: 'value', value: chosen.value })
    }),
  ])
}

/** Any of several. */
export async function askMany(
  place: StepPlace,
  placeholder: string,
  choices: readonly Choice<string>[],
  chosen: ReadonlySet<string>,
): Promise<Answer<ReadonlySet<string>>> {
  const pick = window.createQuickPick<Choice<string>>()
  Object.assign(pick, place, { placeholder, items: choices, canSelectMany: true, ignoreFocusOut: true })
  pick.selectedItems = choices.filter(({ value }) => chosen.has(value))
  pick.buttons = [QuickInputButtons.Back]
  return until(pick, (resolve) => [
    pick.onDidTriggerButton(() => resolve({ kind: 'back' })),
    pick.onDidAccept(() => resolve({ kind: 'value', value: new Set(pick.selectedItems.map(({ value }) => value)) })),
  ])
}

async function until<T>(
  input: { show(): void; dispose(): void; onDidHide(listener: () => void): Disposable },
  listen: (resolve: (answer: Answer<T>) => void) => readonly Disposable[],
): Promise<Answer<T>> {
  const { promise, resolve } = Promise.withResolvers<Answer<T>>()
  const listeners = [...listen(resolve), input.onDidHide(() => resolve({ kind: 'left' }))]
  input.show()
  try {
    return await promise
  } finally {
    for (const listener of listeners) listener.dispose()
    input.dispose()
  }
}
