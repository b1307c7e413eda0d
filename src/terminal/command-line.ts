import type { CommandLine } from '../errors.ts';

/**
 * A line that the person's shell reads as exactly these words: sh, or cmd.exe and PowerShell at once, as nobody knows which
 * of the two is open. Undefined where those two would read some word differently.
 */
export function formatCommandLine(
  words: CommandLine,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  if (platform !== 'win32') return words.map(quoteForSh).join(' ');
  const quoted = words.map(quoteForWindows);
  return quoted.includes(undefined) ? undefined : quoted.join(' ');
}

/** Lines as they can be pasted, and in words those that cannot. */
export function formatNextLines(
  lines: readonly CommandLine[],
  platform: NodeJS.Platform = process.platform,
): { readonly lines: readonly string[]; readonly words: readonly string[] } {
  const formatted = lines.map((words) => ({ words, line: formatCommandLine(words, platform) }));
  return {
    lines: formatted.flatMap(({ line }) => line ?? []),
    words: formatted
      .filter(({ line }) => line === undefined)
      .map(({ words }) => `what helps cannot be pasted here; it is ${words.join(' ')}`),
  };
}

function quoteForSh(word: string): string {
  if (/^[\p{L}\p{M}\p{N}_@%+=:,./-]+$/u.test(word)) return word;
  // Double quotes are what people know; these four keep a meaning between them, and ! does in some shells.
  if (!/["$`\\!]/.test(word)) return `"${word}"`;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** What keeps a meaning between double quotes in one of the two shells; the curly ones end a PowerShell string. */
const readDifferently = /["%$`\u201c\u201d\u201e\p{Cc}]/u;
/** PowerShell would make a number of `007` or `1kb`, which the program gets in another spelling. */
const numberLike = /^[+-]?\.?\d/;
const plainNumber = /^(?:0|[1-9]\d{0,14})$/;
/** PowerShell breaks `-a.b` and `-a:b` in two, and takes `--` for itself. */
const brokenOption = /^-(?:-?$|.*[.:])/;

function quoteForWindows(word: string): string | undefined {
  if (word === '' || readDifferently.test(word)) return undefined;
  const isPlain = /^[\p{L}\p{M}\p{N}_./:\\+-][\p{L}\p{M}\p{N}_./:\\+=-]*$/u.test(word);
  const isChanged = (numberLike.test(word) && !plainNumber.test(word)) || brokenOption.test(word);
  if (isPlain && !isChanged) return word;
  // A backslash before the closing quote would be read as part of it.
  return word.endsWith('\\') ? undefined : `"${word}"`;
}

/** What a person does about something: sentences, and lines to type. */
export interface Advice {
  readonly details: readonly string[];
  readonly try: readonly CommandLine[];
}

/** How a variable is taken away; cmd.exe and PowerShell have no line in common for it. */
export function adviseUnset(
  variable: string,
  platform: NodeJS.Platform = process.platform,
): Advice {
  if (platform !== 'win32') return { details: [], try: [['unset', variable]] };
  const details = [
    `remove it: set ${variable}= in cmd.exe, Remove-Item Env:${variable} in PowerShell`,
  ];
  return { details, try: [] };
}

export function adviseClock(platform: NodeJS.Platform = process.platform): CommandLine {
  if (platform === 'win32') return ['w32tm', '/resync'];
  if (platform === 'darwin') return ['sudo', 'sntp', '-sS', 'time.apple.com'];
  return ['sudo', 'timedatectl', 'set-ntp', 'true'];
}
