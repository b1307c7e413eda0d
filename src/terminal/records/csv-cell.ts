import { showUnsafe } from '../text/safe-text.ts';

/**
 * A value as it stands in a line of CSV (RFC 4180, section 2). A screen is shown symbols in place of what it would obey;
 * a file gets the exact value.
 */
export function renderCsvCell(text: string, isForScreen: boolean): string {
  const shown = isForScreen ? showUnsafe(text) : text;
  return /[",\r\n]|^\s|\s$/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}
