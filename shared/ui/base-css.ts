/** What every element has: type, buttons, inputs, chips, marks, focus. */
export const BASE = `
*, *::before, *::after { box-sizing: border-box; }
:host { font: var(--pl-size)/1.45 var(--pl-font); color: var(--pl-fg); }
:host([hidden]), [hidden] { display: none !important; }
h1, h2, h3, h4, p, ul, ol, dl, dd, figure { margin: 0; padding: 0; }
h1 { font-size: 1.45em; font-weight: 600; line-height: 1.25; }
h2 { font-size: 1.15em; font-weight: 600; }
h3 { font-size: 1em; font-weight: 600; }
ul, ol { list-style: none; }
a { color: var(--pl-link); text-decoration: none; }
a:hover { text-decoration: underline; }
code, pre, .mono { font-family: var(--pl-mono); font-size: 0.95em; }
:focus { outline: none; }
:focus-visible { outline: 2px solid var(--pl-focus); outline-offset: 1px; border-radius: 3px; }
button, .button {
  font: inherit; color: var(--pl-second-fg); background: var(--pl-second); border: 1px solid var(--pl-button-line);
  border-radius: 4px; padding: 3px 10px; min-height: 26px; display: inline-flex; align-items: center; gap: 6px;
  cursor: pointer; white-space: nowrap;
}
button:hover:not(:disabled) { background: var(--pl-second-hover); }
button.primary { background: var(--pl-accent); color: var(--pl-accent-fg); }
button.primary:hover:not(:disabled) { background: var(--pl-accent-hover); }
button.danger { background: var(--pl-danger); color: #fff; }
button.danger:hover:not(:disabled) { filter: brightness(1.1); }
button.quiet { background: transparent; color: inherit; border-color: transparent; }
[role='option'][aria-selected='true'] { outline: 1px solid var(--pl-active-line); outline-offset: -1px; }
button.quiet:hover:not(:disabled) { background: var(--pl-hover); }
button.icon { padding: 3px; min-width: 26px; justify-content: center; }
button.link { background: none; color: var(--pl-link); padding: 0; min-height: 0; border: 0; white-space: normal; text-align: start; }
button.link:hover:not(:disabled) { background: none; text-decoration: underline; }
button:disabled { opacity: 0.5; cursor: default; }
button[aria-pressed='true'] { background: var(--pl-selected); color: var(--pl-selected-fg); border-color: var(--pl-focus); }
input, select, textarea {
  font: inherit; color: var(--pl-input-fg); background: var(--pl-input); border: 1px solid var(--pl-input-line);
  border-radius: 4px; padding: 3px 8px; min-height: 26px; max-width: 100%;
}
textarea { resize: vertical; font-family: var(--pl-mono); }
input[type='checkbox'], input[type='radio'] { min-height: 0; width: 16px; height: 16px; margin: 0; accent-color: var(--pl-accent); flex: none; }
input:focus-visible, select:focus-visible, textarea:focus-visible { outline-offset: -1px; border-radius: 4px; }
input::placeholder { color: var(--pl-muted); opacity: 1; }
svg.icon { width: 16px; height: 16px; flex: none; fill: currentColor; display: block; }
.mark { display: inline-flex; align-items: center; gap: 4px; white-space: nowrap; }
.mark svg { color: inherit; }
.mark .word { color: var(--pl-fg); }
.tone-green { color: var(--pl-green); } .tone-yellow { color: var(--pl-yellow); } .tone-red { color: var(--pl-red); }
.tone-blue { color: var(--pl-blue); } .tone-purple { color: var(--pl-purple); } .tone-orange { color: var(--pl-orange); }
.tone-muted { color: var(--pl-muted); }
.spin { animation: spin 1.6s linear infinite; }
@keyframes spin { to { transform: rotate(360deg); } }
@media (prefers-reduced-motion: reduce) { .spin { animation: none; } * { transition: none !important; scroll-behavior: auto !important; } }
.muted { color: var(--pl-muted); }
.row { display: flex; align-items: center; gap: 8px; }
.wrap { flex-wrap: wrap; }
.grow { flex: 1 1 auto; min-width: 0; }
.cut { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; }
.break { overflow-wrap: anywhere; }
.chip {
  display: inline-flex; align-items: center; gap: 4px; border: 1px solid var(--pl-line); border-radius: 12px; padding: 1px 9px;
  min-height: 24px; background: transparent; color: inherit; font-size: 0.92em;
}
.tag { border: 1px solid var(--pl-line); border-radius: 3px; padding: 0 5px; font-size: 0.85em; color: var(--pl-muted); white-space: nowrap; }
.tag.production { border-color: var(--pl-red); color: var(--pl-red); font-weight: 600; }
label.field { display: grid; gap: 3px; align-content: start; min-width: 0; }
label.field > input, label.field > select, label.field > textarea { width: 100%; }
label.option { display: flex; gap: 8px; align-items: flex-start; }
label.option input { margin-top: 2px; }
label.option small { color: var(--pl-muted); display: block; font-size: 0.9em; }
.note { border: 1px solid var(--pl-line); border-inline-start: 3px solid var(--pl-blue); border-radius: 3px; padding: 6px 10px; overflow-wrap: anywhere; }
.note.warning { border-inline-start-color: var(--pl-yellow); background: var(--pl-warn-bg); }
.note.error { border-inline-start-color: var(--pl-red); background: var(--pl-error-bg); }
.empty { padding: 40px 20px; text-align: center; color: var(--pl-muted); display: grid; gap: 10px; justify-items: center; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (forced-colors: active) {
  button, .button { border-color: ButtonText; }
  button[aria-pressed='true'], [aria-selected='true'], [aria-current='page'] { forced-color-adjust: none; background: Highlight !important; color: HighlightText !important; }
}
`
