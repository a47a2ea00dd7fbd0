import { createHash } from 'node:crypto'
import { SOCKET_KEY } from './socket-key.ts'

/** Page for a person, in place of the window. Texts are ours alone: nothing of a request stands in it. */
export function noticePage(title: string, text: string): string {
  return page(title, `<main><h1>${title}</h1><p>${text}</p></main>`)
}

/**
 * The page that follows a good link. It keeps the key and goes on by itself: a redirect would still count as the other site's
 * doing where the link was followed from one, and a strict cookie would stay behind.
 */
export function enterPage(key: string): string {
  const body = '<main><p><a href="/">Open Plumbline</a></p></main>'
  return page('Plumbline', `${body}<script src="/enter.js" data-key="${key}"></script>`)
}

export const ENTER_SCRIPT = `localStorage.setItem('${SOCKET_KEY}', document.currentScript.dataset.key); location.replace('/')\n`

const STYLE =
  'body{font:15px/1.5 system-ui,sans-serif;display:grid;place-items:center;min-height:90vh;margin:1rem}main{max-width:34rem}h1{font-size:1.3rem;font-weight:600}'

/** What notices may do: look as they do, and keep the key. */
export const NOTICE_POLICY = `default-src 'none'; script-src 'self'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

function page(title: string, body: string): string {
  const head = `<meta charset="utf-8"><title>${title}</title><meta name="color-scheme" content="light dark"><meta name="viewport" content="width=device-width"><style>${STYLE}</style>`
  return `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>\n`
}
