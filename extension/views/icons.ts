import { ThemeColor, ThemeIcon } from 'vscode'
import type { Mark } from '../../shared/view/marks.ts'

/** A mark as an icon; its word stands beside it wherever it is shown. */
export function markIcon(mark: Pick<Mark, 'codicon' | 'themeColour'>): ThemeIcon {
  return new ThemeIcon(mark.codicon, new ThemeColor(mark.themeColour))
}
