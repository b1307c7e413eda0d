/** A command line that a POSIX shell reads as exactly these words. */
export function formatShellLine(words: readonly string[]): string {
  return words.map(quoteWord).join(' ');
}

/** An option with its value, which may begin with a dash. */
export function formatOption(name: string, value: string): string[] {
  return value.startsWith('-') ? [`${name}=${value}`] : [name, value];
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
