export const PANEL_CSS = `
:host { display: grid; grid-template-rows: auto auto minmax(0, 1fr); height: 100%; min-height: 0; container-type: inline-size; background: var(--pl-bg); overflow-y: auto; }
.tabs { display: flex; gap: 2px; padding: 0 10px; border-bottom: 1px solid var(--pl-line); overflow-x: auto; scrollbar-width: none; }
.tabs button { border-radius: 4px 4px 0 0; border-bottom: 2px solid transparent; min-height: 32px; flex: none; }
.tabs button[aria-selected='true'] { border-bottom-color: var(--vscode-contrastActiveBorder, var(--pl-accent)); font-weight: 600; }
.tabs .count { border: 1px solid var(--pl-line); border-radius: 9px; padding: 0 6px; font-size: 0.85em; font-weight: 400; }
.tab { min-height: 0; overflow: hidden; }
.tab > * { height: 100%; }
.padded { padding: 12px 16px; overflow: auto; container-type: inline-size; }
.split { display: grid; grid-template-columns: minmax(0, 1fr); min-height: 0; }
.split > * { min-height: 0; }
.split.with-details { grid-template-columns: minmax(0, 1fr) minmax(280px, 360px); }
@container (max-width: 700px) {
  .split.with-details { grid-template-columns: minmax(0, 1fr); grid-template-rows: minmax(0, 1fr) minmax(0, 1.2fr); }
  .padded { padding: 10px; }
  .tab { min-height: 420px; }
}
@container (max-width: 480px) { .split.with-details { grid-template-rows: minmax(0, 1fr); } .split.with-details > pl-graph { display: none; } }
`
