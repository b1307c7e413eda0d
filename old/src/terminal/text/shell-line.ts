import { shellOf } from '../../shell.ts';

/** A command line that the person's shell reads as exactly these words. */
export function formatShellLine(words: readonly string[], platform = process.platform): string {
  return words.map(shellOf(platform).quote).join(' ');
}

/** An option with its value, which may begin with a dash. */
export function formatOption(name: string, value: string): string[] {
  return value.startsWith('-') ? [`${name}=${value}`] : [name, value];
}
