import add from '@vscode/codicons/src/icons/add.svg'
import beaker from '@vscode/codicons/src/icons/beaker.svg'
import check from '@vscode/codicons/src/icons/check.svg'
import chevronDown from '@vscode/codicons/src/icons/chevron-down.svg'
import chevronRight from '@vscode/codicons/src/icons/chevron-right.svg'
import circleSlash from '@vscode/codicons/src/icons/circle-slash.svg'
import circleSmall from '@vscode/codicons/src/icons/circle-small.svg'
import close from '@vscode/codicons/src/icons/close.svg'
import copy from '@vscode/codicons/src/icons/copy.svg'
import dash from '@vscode/codicons/src/icons/dash.svg'
import debugPause from '@vscode/codicons/src/icons/debug-pause.svg'
import debugStart from '@vscode/codicons/src/icons/debug-start.svg'
import debugStop from '@vscode/codicons/src/icons/debug-stop.svg'
import diffAdded from '@vscode/codicons/src/icons/diff-added.svg'
import diffModified from '@vscode/codicons/src/icons/diff-modified.svg'
import diffRemoved from '@vscode/codicons/src/icons/diff-removed.svg'
import edit from '@vscode/codicons/src/icons/edit.svg'
import ellipsis from '@vscode/codicons/src/icons/ellipsis.svg'
import errorIcon from '@vscode/codicons/src/icons/error.svg'
import filter from '@vscode/codicons/src/icons/filter.svg'
import folder from '@vscode/codicons/src/icons/folder.svg'
import goToFile from '@vscode/codicons/src/icons/go-to-file.svg'
import heartFilled from '@vscode/codicons/src/icons/heart-filled.svg'
import history from '@vscode/codicons/src/icons/history.svg'
import info from '@vscode/codicons/src/icons/info.svg'
import key from '@vscode/codicons/src/icons/key.svg'
import layers from '@vscode/codicons/src/icons/layers.svg'
import listFlat from '@vscode/codicons/src/icons/list-flat.svg'
import pass from '@vscode/codicons/src/icons/pass.svg'
import plug from '@vscode/codicons/src/icons/plug.svg'
import question from '@vscode/codicons/src/icons/question.svg'
import refresh from '@vscode/codicons/src/icons/refresh.svg'
import repo from '@vscode/codicons/src/icons/repo.svg'
import screenFull from '@vscode/codicons/src/icons/screen-full.svg'
import search from '@vscode/codicons/src/icons/search.svg'
import serverEnvironment from '@vscode/codicons/src/icons/server-environment.svg'
import settingsGear from '@vscode/codicons/src/icons/settings-gear.svg'
import sync from '@vscode/codicons/src/icons/sync.svg'
import trash from '@vscode/codicons/src/icons/trash.svg'
import unverified from '@vscode/codicons/src/icons/unverified.svg'
import verifiedFilled from '@vscode/codicons/src/icons/verified-filled.svg'
import warning from '@vscode/codicons/src/icons/warning.svg'
import zoomIn from '@vscode/codicons/src/icons/zoom-in.svg'
import zoomOut from '@vscode/codicons/src/icons/zoom-out.svg'

/** The pictures of VS Code's icon font that we use, by their names there. */
const PICTURES: Readonly<Record<string, string>> = {
  add,
  beaker,
  check,
  'chevron-down': chevronDown,
  'chevron-right': chevronRight,
  'circle-slash': circleSlash,
  'circle-small': circleSmall,
  close,
  copy,
  dash,
  'debug-pause': debugPause,
  'debug-start': debugStart,
  'debug-stop': debugStop,
  'diff-added': diffAdded,
  'diff-modified': diffModified,
  'diff-removed': diffRemoved,
  edit,
  ellipsis,
  error: errorIcon,
  filter,
  folder,
  'go-to-file': goToFile,
  'heart-filled': heartFilled,
  history,
  info,
  key,
  layers,
  'list-flat': listFlat,
  pass,
  plug,
  question,
  refresh,
  repo,
  'screen-full': screenFull,
  search,
  'server-environment': serverEnvironment,
  'settings-gear': settingsGear,
  sync,
  trash,
  unverified,
  'verified-filled': verifiedFilled,
  warning,
  'zoom-in': zoomIn,
  'zoom-out': zoomOut,
}

const SVG = 'http://www.w3.org/2000/svg'
const made = new Map<string, SVGSVGElement>()

/** A picture by its name, as a new node; hidden from screen readers, since a word always stands beside it. */
export function icon(name: string): SVGSVGElement {
  const [plain = '', motion] = name.split('~')
  const known = made.get(plain) ?? build(plain)
  made.set(plain, known)
  const copy = known.cloneNode(true) as SVGSVGElement
  if (motion === 'spin') copy.classList.add('spin')
  return copy
}

/** Built node by node: text is never parsed as markup where a page demands trusted types. */
function build(name: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 16 16')
  svg.setAttribute('aria-hidden', 'true')
  svg.classList.add('icon')
  for (const [, attributes = ''] of (PICTURES[name] ?? PICTURES['circle-small'] ?? '').matchAll(/<path([^>]*)>/g)) {
    const path = document.createElementNS(SVG, 'path')
    for (const [, key, value] of attributes.matchAll(/([\w-]+)="([^"]*)"/g)) {
      if (key === 'd' || key === 'fill-rule' || key === 'clip-rule') path.setAttribute(key, value ?? '')
    }
    svg.append(path)
  }
  return svg
}
