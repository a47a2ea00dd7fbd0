/**
 * The only place where colours and type are chosen. In a webview VS Code's own variables win; in the window the values
 * after them hold, light or dark as `color-scheme` says; in forced colours the system's words hold.
 */
export const THEME = `
:root {
  color-scheme: light dark;
  --pl-font: var(--vscode-font-family, system-ui, -apple-system, 'Segoe UI', Roboto, Cantarell, sans-serif);
  --pl-size: var(--vscode-font-size, 13px);
  --pl-mono: var(--vscode-editor-font-family, ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace);
  --pl-fg: var(--vscode-foreground, light-dark(#1f2328, #e6e8eb));
  --pl-muted: var(--vscode-descriptionForeground, light-dark(#59636e, #9aa4af));
  --pl-bg: var(--vscode-editor-background, light-dark(#ffffff, #16191d));
  --pl-side: var(--vscode-sideBar-background, light-dark(#f4f5f7, #101316));
  --pl-raised: var(--vscode-editorWidget-background, light-dark(#ffffff, #1f2429));
  --pl-line: var(--vscode-contrastBorder, var(--vscode-panel-border, light-dark(#d5d9de, #333a42)));
  --pl-strong-line: var(--vscode-contrastBorder, light-dark(#8c959f, #66707b));
  --pl-hover: var(--vscode-list-hoverBackground, light-dark(#eef1f4, #22272d));
  --pl-selected: var(--vscode-list-activeSelectionBackground, light-dark(#dbe9fb, #1d3657));
  --pl-selected-fg: var(--vscode-list-activeSelectionForeground, var(--pl-fg));
  --pl-button-line: var(--vscode-contrastBorder, transparent);
  --pl-active-line: var(--vscode-contrastActiveBorder, transparent);
  --pl-accent: var(--vscode-button-background, light-dark(#0b5cad, #2b74c9));
  --pl-accent-fg: var(--vscode-button-foreground, #ffffff);
  --pl-accent-hover: var(--vscode-button-hoverBackground, light-dark(#094c90, #3a83d8));
  --pl-second: var(--vscode-button-secondaryBackground, light-dark(#eceff2, #2a3037));
  --pl-second-fg: var(--vscode-button-secondaryForeground, var(--pl-fg));
  --pl-second-hover: var(--vscode-button-secondaryHoverBackground, light-dark(#e0e4e8, #353c44));
  --pl-input: var(--vscode-input-background, light-dark(#ffffff, #0f1215));
  --pl-input-fg: var(--vscode-input-foreground, var(--pl-fg));
  --pl-input-line: var(--vscode-contrastBorder, var(--vscode-input-border, light-dark(#8c959f, #5a646f)));
  --pl-link: var(--vscode-textLink-foreground, light-dark(#0b5cad, #6cb0ff));
  --pl-focus: var(--vscode-focusBorder, light-dark(#0b5cad, #6cb0ff));
  --pl-danger: light-dark(#b62324, #d0403c);
  --pl-green: var(--vscode-charts-green, light-dark(#1a7f37, #46b557));
  --pl-yellow: var(--vscode-charts-yellow, light-dark(#8f6200, #d8a12c));
  --pl-red: var(--vscode-charts-red, light-dark(#c5242d, #f4695f));
  --pl-blue: var(--vscode-charts-blue, light-dark(#0b66c9, #62aeff));
  --pl-purple: var(--vscode-charts-purple, light-dark(#7a47c9, #bb92f7));
  --pl-orange: var(--vscode-charts-orange, light-dark(#b5480c, #ef8b45));
  --pl-add: var(--vscode-diffEditor-insertedLineBackground, light-dark(#dcf5e1, #15351f));
  --pl-remove: var(--vscode-diffEditor-removedLineBackground, light-dark(#fde3e1, #43201f));
  --pl-warn-bg: var(--vscode-inputValidation-warningBackground, light-dark(#fdf4dc, #362b10));
  --pl-error-bg: var(--vscode-inputValidation-errorBackground, light-dark(#fde8e7, #3d1b1a));
  --pl-shadow: 0 4px 18px var(--vscode-widget-shadow, light-dark(#00000026, #00000080));
}
@media (forced-colors: active) {
  :root {
    --pl-fg: CanvasText; --pl-muted: CanvasText; --pl-bg: Canvas; --pl-side: Canvas; --pl-raised: Canvas;
    --pl-line: CanvasText; --pl-strong-line: CanvasText; --pl-hover: Canvas; --pl-selected: Highlight;
    --pl-selected-fg: HighlightText; --pl-accent: ButtonFace; --pl-accent-fg: ButtonText; --pl-second: ButtonFace;
    --pl-second-fg: ButtonText; --pl-input: Field; --pl-input-fg: FieldText; --pl-input-line: FieldText;
    --pl-link: LinkText; --pl-focus: Highlight; --pl-danger: CanvasText; --pl-green: CanvasText;
    --pl-yellow: CanvasText; --pl-red: CanvasText; --pl-blue: CanvasText; --pl-purple: CanvasText;
    --pl-orange: CanvasText; --pl-add: Canvas; --pl-remove: Canvas; --pl-warn-bg: Canvas; --pl-error-bg: Canvas;
    --pl-shadow: none;
  }
}
plumbline-panel, plumbline-window { display: contents; }
html, body { margin: 0; padding: 0; height: 100%; }
body {
  background: var(--pl-bg); color: var(--pl-fg); font: var(--pl-size)/1.45 var(--pl-font); overflow: hidden;
}
`

/** VS Code's colour names of `Mark.themeColour`, as variables. */
const COLOURS: ReadonlyMap<string, string> = new Map([
  ['charts.green', 'green'],
  ['charts.yellow', 'yellow'],
  ['charts.red', 'red'],
  ['charts.blue', 'blue'],
  ['charts.purple', 'purple'],
  ['charts.orange', 'orange'],
])

/** A class of the base sheet that paints in a mark's colour. */
export function toneOf(mark: { readonly themeColour: string }): string {
  return `tone-${COLOURS.get(mark.themeColour) ?? 'muted'}`
}
