import { EventEmitter } from 'node:events'

/** What the double keeps for the test to look at: what Electron would have shown outside of the page. */
export type Shown = {
  readonly trayWords: string
  readonly notifications: readonly { readonly title: string; readonly body: string }[]
  readonly menu: readonly string[]
  readonly windows: number
  readonly webPreferences: Readonly<Record<string, unknown>>
  readonly visible: boolean
  readonly opened: readonly string[]
  readonly deniedWindows: number
  readonly questions: readonly string[]
}

/** What a test asks of a running double. */
export type Order =
  | { readonly kind: 'shown' }
  /** The labels on the way to a menu's item, which is then clicked. */
  | { readonly kind: 'menu'; readonly labels: readonly string[] }
  | { readonly kind: 'tray'; readonly labels: readonly string[] }
  /** What the next dialogs answer: a folder, or the number of a button. */
  | { readonly kind: 'dialog'; readonly folder?: string; readonly button?: number }
  | { readonly kind: 'notification'; readonly title: string }
  | { readonly kind: 'focus'; readonly focused: boolean }
  | { readonly kind: 'close' }
  /** A message as if it came from another page than ours, or from a frame in it. */
  | { readonly kind: 'forge'; readonly url: string; readonly channel: string; readonly args: readonly unknown[] }

export const state = {
  trayWords: '',
  trayMenu: [] as readonly Item[],
  notifications: [] as { readonly title: string; readonly body: string; readonly click: () => void }[],
  menu: [] as readonly Item[],
  opened: [] as string[],
  deniedWindows: 0,
  questions: [] as string[],
  folder: undefined as string | undefined,
  button: 0,
  focused: true,
}

export type Item = {
  readonly label?: string
  readonly role?: string
  readonly enabled?: boolean
  readonly submenu?: readonly Item[]
  readonly click?: () => void
}

export const orders = new EventEmitter<{ order: [order: Order, answer: (value: unknown) => void] }>()

process.on('message', ({ id, order }: { readonly id: number; readonly order: Order }) => {
  orders.emit('order', order, (value) => process.send?.({ id, value: value ?? null }))
})

/** Labels of a menu with their depth, as a person reads them. */
export function labelsOf(items: readonly Item[], depth = 0): readonly string[] {
  return items.flatMap(({ label, role, submenu = [] }) => [
    `${'  '.repeat(depth)}${label ?? role ?? '-'}`,
    ...labelsOf(submenu, depth + 1),
  ])
}

export function clickItem(items: readonly Item[], labels: readonly string[]): boolean {
  const [label, ...rest] = labels
  const item = items.find((one) => (one.label ?? one.role)?.replaceAll('&', '') === label)
  if (item === undefined || item.enabled === false) return false
  if (rest.length > 0) return clickItem(item.submenu ?? [], rest)
  item.click?.()
  return true
}
