export const GRAPH_CSS = `
:host { display: grid; grid-template-rows: auto minmax(0, 1fr); height: 100%; min-height: 0; position: relative; }
.bar { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; padding: 8px 12px; border-bottom: 1px solid var(--pl-line); }
.bar input { width: 180px; flex: 0 1 180px; min-width: 90px; }
.chips { display: flex; gap: 6px; flex-wrap: wrap; }
.zoom { display: flex; gap: 2px; margin-inline-start: auto; }
.stage { position: relative; overflow: hidden; touch-action: none; cursor: grab; background: var(--pl-bg); }
.stage.dragging { cursor: grabbing; }
.layer { position: absolute; inset: 0 auto auto 0; transform-origin: 0 0; }
.dragging .layer { will-change: transform; }
.layer > svg { position: absolute; inset: 0 auto auto 0; overflow: visible; pointer-events: none; fill: none; stroke: var(--pl-strong-line); stroke-width: 1.2; }
.layer > svg path.loud { stroke: var(--pl-yellow); stroke-width: 2; }
.band { position: absolute; font-size: 0.85em; color: var(--pl-muted); padding-top: 4px; width: 244px; border-bottom: 1px dashed var(--pl-line); }
.node {
  position: absolute; width: 244px; height: 46px; display: grid; grid-template-columns: minmax(0, 1fr) auto; column-gap: 6px;
  padding: 4px 8px; background: var(--pl-raised); border: 1px solid var(--pl-line); border-radius: 5px; cursor: pointer;
  align-content: center; line-height: 1.3; user-select: none;
}
.node:hover { border-color: var(--pl-strong-line); background: var(--pl-hover); }
.node.loud { border-color: currentColor; border-inline-start-width: 4px; padding-inline-start: 5px; }
.node.group { box-shadow: 3px 3px 0 -1px var(--pl-raised), 3px 3px 0 0 var(--pl-line); }
.node[aria-selected='true'] { background: var(--pl-selected); outline: 2px solid var(--pl-focus); outline-offset: -1px; }
.node .name { color: var(--pl-fg); font-weight: 500; }
.node .sub { color: var(--pl-muted); font-size: 0.86em; }
.node[aria-selected='true'] .name, .node[aria-selected='true'] .sub { color: var(--pl-selected-fg); }
.node .marks { grid-row: span 2; display: flex; gap: 4px; align-items: center; }
.node .fold { padding: 0 2px; min-height: 20px; min-width: 20px; }
`
