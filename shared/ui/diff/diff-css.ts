export const DIFF_CSS = `
:host { display: grid; grid-template-columns: minmax(180px, 280px) minmax(0, 1fr); height: 100%; min-height: 0; }
:host(:has(.empty)) { grid-template-columns: 1fr; }
nav { border-inline-end: 1px solid var(--pl-line); overflow: auto; padding: 8px 0; }
nav .head { padding: 0 12px 6px; }
nav li { display: grid; grid-template-columns: 16px minmax(0, 1fr); column-gap: 8px; padding: 4px 12px; cursor: pointer; content-visibility: auto; contain-intrinsic-size: auto 44px; }
nav li .sub { grid-column: 2; font-size: 0.88em; }
nav li:hover { background: var(--pl-hover); }
nav li[aria-selected='true'] { background: var(--pl-selected); color: var(--pl-selected-fg); }
nav li[aria-selected='true'] .muted { color: inherit; }
section { overflow: auto; padding: 12px 16px; display: grid; gap: 12px; align-content: start; }
.sentences { display: grid; gap: 4px; }
.sentences li { display: flex; gap: 4px 12px; flex-wrap: wrap; }
.legend { display: flex; gap: 12px; margin-bottom: 6px; font-size: 0.92em; }
.legend span { padding: 0 6px; border-radius: 3px; }
.hunks { overflow-x: auto; border: 1px solid var(--pl-line); border-radius: 5px; padding: 8px; }
table { border-collapse: collapse; font-family: var(--pl-mono); font-size: 0.94em; width: 100%; line-height: 1.5; }
table + table { margin-top: 10px; }
caption { text-align: start; font-family: var(--pl-font); color: var(--pl-muted); padding: 2px 4px 4px; }
td { padding: 0 6px; vertical-align: top; white-space: pre; }
td.blame { width: 160px; min-width: 160px; max-width: 160px; font-family: var(--pl-font); font-size: 0.92em; color: var(--pl-muted); border-inline-end: 1px solid var(--pl-line); }
td.number { width: 1%; min-width: 5ch; text-align: end; color: var(--pl-muted); user-select: none; }
td.sign { width: 1%; user-select: none; }
td.text { white-space: pre-wrap; overflow-wrap: anywhere; }
tr.add, .legend .add { background: var(--pl-add); }
tr.remove, .legend .remove { background: var(--pl-remove); }
@media (forced-colors: active) { tr.add .sign, tr.remove .sign { font-weight: 700; } tr.add .text { text-decoration: underline; } }
details { border-top: 1px solid var(--pl-line); padding-top: 8px; }
summary { cursor: pointer; color: var(--pl-muted); }
details .sentences { padding: 8px 0 0 16px; color: var(--pl-muted); }
@container (max-width: 640px) {
  :host { grid-template-columns: minmax(0, 1fr); grid-template-rows: auto minmax(0, 1fr); }
  nav { border-inline-end: 0; border-bottom: 1px solid var(--pl-line); max-height: 30vh; }
  section { padding: 10px; }
  td.blame { display: none; }
}
`
