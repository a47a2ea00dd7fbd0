// Lives in the extension host beside Plumbline and watches the thread that all extensions share. Only tests install it.
// It takes orders from a file, since a palette would be in the way of what is measured.
const { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const vscode = require('vscode')

/** A turn of the loop that comes later than this was kept waiting. */
const EVERY_MS = 2

exports.activate = (context) => {
  const folder = process.env.PLUMBLINE_PROBE
  if (folder === undefined) return
  let longest = 0
  let blocks = []
  let last = performance.now()
  const tick = setInterval(() => {
    const now = performance.now()
    const block = now - last - EVERY_MS
    if (block > longest) longest = block
    if (block > 15) blocks.push(Math.round(block))
    last = now
  }, EVERY_MS)
  const orders = {
    reset: () => {
      longest = 0
      blocks = []
      return {}
    },
    read: () => ({ longest, blocks, heap: process.memoryUsage().heapUsed }),
    activate: async () => {
      const extension = vscode.extensions.getExtension('plumbline.plumbline')
      if (extension.isActive) return { active: true, ms: -1 }
      const started = performance.now()
      await extension.activate()
      return { active: false, ms: performance.now() - started }
    },
    // What the editor itself costs this thread: a turn of the loop that nothing of ours is in.
    diagnostics: () => ({
      count: vscode.languages.getDiagnostics().reduce((sum, [, of]) => sum + of.length, 0),
    }),
  }
  let busy = false
  const watch = setInterval(async () => {
    const order = join(folder, 'order')
    if (busy || !existsSync(order)) return
    busy = true
    const name = readFileSync(order, 'utf8').trim()
    rmSync(order)
    try {
      const answer = await orders[name]()
      writeFileSync(join(folder, 'answer.part'), JSON.stringify(answer))
      require('node:fs').renameSync(join(folder, 'answer.part'), join(folder, 'answer'))
    } catch (error) {
      appendFileSync(join(folder, 'problem'), String(error))
    }
    busy = false
  }, 50)
  context.subscriptions.push({
    dispose: () => {
      clearInterval(tick)
      clearInterval(watch)
    },
  })
}
