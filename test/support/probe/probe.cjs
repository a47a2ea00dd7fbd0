// Lives in the extension host beside Plumbline and watches the thread that all extensions share. Only tests install it.
// It takes orders from a file, since a palette would be in the way of what is measured.
const { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const vscode = require('vscode')

/** A turn of the loop that comes later than this was kept waiting. */
const EVERY_MS = 2
const ORDERS_MS = 50

exports.activate = (context) => {
  const folder = process.env.PLUMBLINE_PROBE
  if (folder === undefined) return
  const watched = watchLoop()
  const orders = { ...watched.orders, activate, diagnostics, commands }
  const timer = setInterval(() => void obey(folder, orders), ORDERS_MS)
  context.subscriptions.push({
    dispose: () => {
      clearInterval(timer)
      watched.end()
    },
  })
}

function watchLoop() {
  let found = { longest: 0, work: 0, blocks: [] }
  let last = performance.now()
  let lastWork = threadMs()
  const timer = setInterval(() => {
    const now = performance.now()
    const work = threadMs()
    const block = now - last - EVERY_MS
    found.longest = Math.max(found.longest, block)
    found.work = Math.max(found.work, work - lastWork)
    if (block > 15) found.blocks.push(Math.round(block))
    last = now
    lastWork = work
  }, EVERY_MS)
  const reset = () => {
    found = { longest: 0, work: 0, blocks: [] }
    return {}
  }
  const read = () => ({ ...found, heap: process.memoryUsage().heapUsed })
  return { orders: { reset, read }, end: () => clearInterval(timer) }
}

async function activate() {
  const extension = vscode.extensions.getExtension('plumbline.plumbline')
  if (extension.isActive) return { active: true, ms: -1 }
  const started = performance.now()
  const worked = threadMs()
  await extension.activate()
  return { active: false, ms: performance.now() - started, work: threadMs() - worked }
}

async function commands() {
  // Those of views are the editor's own.
  const ids = await vscode.commands.getCommands(true)
  return { ids: ids.filter((id) => /^plumbline\.\w+$/.test(id)).sort() }
}

function diagnostics() {
  return { count: vscode.languages.getDiagnostics().reduce((sum, [, of]) => sum + of.length, 0) }
}

let busy = false
async function obey(folder, orders) {
  const order = join(folder, 'order')
  if (busy || !existsSync(order)) return
  busy = true
  try {
    const name = readFileSync(order, 'utf8').trim()
    rmSync(order)
    const answer = await orders[name]()
    writeFileSync(join(folder, 'answer.part'), JSON.stringify(answer))
    renameSync(join(folder, 'answer.part'), join(folder, 'answer'))
  } catch (error) {
    appendFileSync(join(folder, 'problem'), String(error))
  }
  busy = false
}

/** What this thread has worked; waiting for its turn on the machine is no work. */
function threadMs() {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
