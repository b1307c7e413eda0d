/** A command line that the person's shell reads as exactly these words. */
export function formatCommandLine(
  words: readonly string[],
  platform: NodeJS.Platform = process.platform,
): string {
  return words.map(platform === 'win32' ? quoteForPowerShell : quoteForPosix).join(' ');
}

/** An option with its value, which may begin with a dash. */
export function formatOption(name: string, value: string): string[] {
  return value.startsWith('-') ? [`${name}=${value}`] : [name, value];
}

function quoteForPosix(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  // Double quotes are what people know; these four keep a meaning between them, and ! does in some shells.
  if (!/["$`\\!]/.test(word)) return `"${word}"`;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function quoteForPowerShell(word: string): string {
  // A comma makes a list, @ and % are operators at the start of a word.
  if (/^[\w+=:./\\-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", "''")}'`;
}
