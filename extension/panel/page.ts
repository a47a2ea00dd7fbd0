import { randomBytes } from 'node:crypto'
import type { Uri, Webview } from 'vscode'
import type { PanelTarget } from './panel-target.ts'

/** The panel's page: one script, known by a nonce; no style, picture, font or connection from anywhere. */
export function panelPage(webview: Pick<Webview, 'asWebviewUri'>, script: Uri, target: PanelTarget): string {
  const nonce = randomBytes(18).toString('base64')
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`
  const attributes = [
    ['data-application', target.application],
    ['data-tab', target.tab],
    ['data-key', target.key],
  ]
    .flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${escapeHtml(value)}"`]))
    .join('')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(target.application)}</title>
<script type="module" nonce="${nonce}" src="${escapeHtml(webview.asWebviewUri(script).toString())}"></script>
</head>
<body${attributes}><plumbline-panel></plumbline-panel></body>
</html>`
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
