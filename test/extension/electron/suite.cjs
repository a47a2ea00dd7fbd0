// What runs within VS Code itself; `run.mjs` starts it. Plain assertions: the first that fails ends the run.
const assert = require('node:assert/strict')
const vscode = require('vscode')

const WAIT_MS = 60_000

exports.run = async () => {
  const extension = vscode.extensions.getExtension('plumbline.plumbline')
  assert.ok(extension !== undefined, 'the extension is installed')
  const { commands } = extension.packageJSON.contributes
  await extension.activate()
  const registered = new Set(await vscode.commands.getCommands(true))
  assert.deepEqual(
    commands.map(({ command }) => command).filter((id) => !registered.has(id)),
    [],
    'every contributed command is registered',
  )
  await vscode.commands.executeCommand('workbench.view.extension.plumbline')
  const [folder] = vscode.workspace.workspaceFolders
  const manifest = vscode.Uri.joinPath(folder.uri, 'shop', 'deployment.yaml')
  await vscode.window.showTextDocument(manifest)
  const lenses = await until(async () => {
    const found = await vscode.commands.executeCommand('vscode.executeCodeLensProvider', manifest, 10)
    return found.some(({ command }) => /Missing|Synced|drifted/.test(command?.title ?? '')) ? found : undefined
  })
  assert.ok(lenses.length > 0, 'the manifest has its lens')
  // oxlint-disable-next-line no-console -- how the runner is told
  console.log(`passed: ${commands.length} commands, ${lenses.length} lenses`)
}

async function until(look) {
  for (const end = Date.now() + WAIT_MS; ; await new Promise((resolve) => setTimeout(resolve, 250))) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() > end) throw new Error('waited too long')
  }
}
