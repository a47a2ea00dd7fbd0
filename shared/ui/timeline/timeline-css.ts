export const TIMELINE_CSS = `
:host { display: block; --label: minmax(120px, 240px); --result: 150px; }
.head { display: grid; gap: 6px; padding-bottom: 8px; }
.head input { flex: 1; padding: 0; accent-color: var(--pl-accent); max-width: 480px; }
.scale, li, .folded { display: grid; grid-template-columns: var(--label) var(--result) minmax(0, 1fr); column-gap: 10px; }
.ticks { grid-column: 3; position: relative; height: 20px; border-bottom: 1px solid var(--pl-line); margin-inline-end: 34px; }
.ticks span { position: absolute; font-size: 0.85em; color: var(--pl-muted); white-space: nowrap; padding-inline-start: 3px; border-inline-start: 1px solid var(--pl-line); height: 20px; }
.now { position: absolute; top: -6px; height: 31px; width: 0; border-inline-start: 2px solid var(--pl-blue); }
.folded { padding-inline-start: 22px; }
.folded .track { grid-column: 3; }
section { border-bottom: 1px solid var(--pl-line); padding: 2px 0 6px; }
.stage { padding-inline: 2px; width: 100%; justify-content: flex-start; font-weight: 600; }
.stage .muted { font-weight: 400; }
li { align-items: center; padding: 2px 0 2px 22px; min-height: 28px; content-visibility: auto; contain-intrinsic-size: auto 28px; }
.scale { padding-inline-start: 22px; }
.both .health { top: 19px; }
li.differs { background: var(--pl-warn-bg); }
.result { display: flex; gap: 8px; justify-content: space-between; min-width: 0; }
.took { font-variant-numeric: tabular-nums; }
.track { position: relative; height: 18px; margin-inline-end: 34px; }
.bar, .beside, .lane-bar { position: absolute; top: 2px; height: 9px; border-radius: 2px; background: currentColor; min-width: 3px; }
.bar.hook { background: repeating-linear-gradient(135deg, currentColor 0 4px, transparent 4px 7px); border: 1px solid currentColor; }
.health { position: absolute; top: 13px; height: 3px; background: currentColor; min-width: 2px; }
.beside { top: 12px; height: 5px; opacity: 0.75; background: repeating-linear-gradient(90deg, currentColor 0 3px, transparent 3px 5px); }
.lane-bar { background: var(--pl-muted); opacity: 0.5; }
.difference { grid-column: 2 / -1; font-size: 0.92em; }
.message { align-self: center; }
@media (forced-colors: active) { .bar, .beside, .health, .lane-bar { forced-color-adjust: none; background: CanvasText; } .bar.hook { background: Canvas; border-color: CanvasText; } }
@container (max-width: 640px) {
  :host { --label: minmax(0, 1fr); --result: auto; }
  li { grid-template-columns: minmax(0, 1fr) auto; }
  li .track { grid-column: 1 / -1; }
  .scale { display: none; }
  .folded { display: none; }
  .message { grid-column: 1 / -1; }
}
`
