export const APPLICATIONS_CSS = `
:host { display: flex; flex-direction: column; height: 100%; min-height: 0; container-type: inline-size; }
.head, .filters, .bulk { display: flex; align-items: center; gap: 6px 8px; flex-wrap: wrap; padding: 0 20px 8px; }
.head { padding-top: 14px; }
.head h1 { margin-inline-end: 6px; }
.filters input { flex: 1 1 200px; max-width: 340px; min-width: 120px; }
.filters label { display: inline-flex; gap: 5px; align-items: center; color: var(--pl-muted); }
.bulk { background: var(--pl-selected); color: var(--pl-selected-fg); padding-block: 6px; margin-bottom: 0; }
.bulk:empty { display: none; }
.scroll { flex: 1 1 auto; min-height: 0; overflow: auto; position: relative; border-top: 1px solid var(--pl-line); contain: strict; }
.row-line {
  position: absolute; inset-inline: 0; display: grid; align-items: center; column-gap: 12px; padding: 0 20px; height: 40px;
  grid-template-columns: 18px minmax(140px, 2.2fr) 108px 118px minmax(90px, 1.2fr) minmax(100px, 1.3fr) minmax(90px, 1.3fr);
  border-bottom: 1px solid var(--pl-line); contain: layout style;
}
.row-line:hover { background: var(--pl-hover); }
.row-line.selected { background: var(--pl-selected); color: var(--pl-selected-fg); }
.row-line .name { gap: 8px; }
.row-line a.name { font-weight: 500; color: var(--pl-fg); }
.row-line .muted { color: var(--pl-muted); }
.row-line.calm .drift, .row-line.calm .revision, .row-line.calm .destination { color: var(--pl-muted); }
.rows { position: relative; }
.row-line > [role='gridcell'] { display: flex; align-items: center; min-width: 0; }
.row-line > .cut { display: block; }
.heads { position: sticky; top: 0; z-index: 2; background: var(--pl-bg); color: var(--pl-muted); height: 32px; }
.heads:hover { background: var(--pl-bg); }
.heads button { padding: 0; background: none; color: inherit; min-height: 0; }
.heads button[aria-sort] { color: var(--pl-fg); font-weight: 600; }
.group-line { position: absolute; inset-inline: 0; height: 40px; padding: 0 14px; display: flex; align-items: center; background: var(--pl-side); border-bottom: 1px solid var(--pl-line); }
.group-line button { font-weight: 600; }
.tile { position: absolute; padding: 0; border: 1px solid var(--pl-line); border-radius: 8px; background: var(--pl-raised); padding: 10px 12px; display: grid; gap: 4px; align-content: start; overflow: hidden; contain: layout style; }
.tile .name { font-weight: 600; display: flex; gap: 8px; align-items: center; min-width: 0; color: var(--pl-fg); }
.tile:hover { border-color: var(--pl-strong-line); }
.tile.loud { border-inline-start: 4px solid var(--pl-yellow); } .tile.loud.broken { border-inline-start-color: var(--pl-red); }
@container (max-width: 1000px) {
  .row-line { grid-template-columns: 18px minmax(140px, 2fr) 108px 118px minmax(100px, 1.3fr) minmax(90px, 1.3fr); }
  .row-line .revision { display: none; }
}
@container (max-width: 760px) {
  .row-line { grid-template-columns: 18px minmax(0, 2fr) 108px 118px minmax(80px, 1fr); }
  .row-line .destination { display: none; }
}
@container (max-width: 560px) {
  .head, .filters, .bulk { padding-inline: 12px; }
  .row-line { grid-template-columns: 18px minmax(0, 1fr) auto; padding: 0 12px; }
  .row-line .drift, .row-line .health { display: none; }
  .heads { display: none; }
  .filters label span { display: none; }
}
`
