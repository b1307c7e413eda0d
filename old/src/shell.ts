/** How lines are written that people paste into their shell. */
export interface Shell {
  /** One word, quoted only where it needs to be. */
  quote(word: string): string;
  /** A path as one word. */
  quotePath(path: string): string;
  setVariable(name: string, value: string): string;
  copyVariable(name: string, from: string): string;
  unsetVariable(name: string): string;
  moveFile(from: string, to: string): string;
  /** Gives a command the text of a file as its stdin. */
  feedFile(file: string, command: string): string;
}

const posix: Shell = {
  quote: (word) => (/^[\w@%+=:,./\u2026-]+$/.test(word) ? word : posix.quotePath(word)),
  quotePath: (path) => `'${path.replaceAll("'", "'\\''")}'`,
  setVariable: (name, value) => `export ${name}=${posix.quote(value)}`,
  copyVariable: (name, from) => `export ${name}="$${from}"`,
  unsetVariable: (name) => `unset ${name}`,
  moveFile: (from, to) => `mv ${posix.quotePath(from)} ${posix.quotePath(to)}`,
  feedFile: (file, command) => `${command} < ${posix.quote(file)}`,
};

const powershell: Shell = {
  quote: (word) => (isBareWord(word) ? word : quoteForPowershell(word)),
  quotePath: quoteForPowershell,
  setVariable: (name, value) => `$env:${name} = ${quoteForPowershell(value)}`,
  copyVariable: (name, from) => `$env:${name} = $env:${from}`,
  unsetVariable: (name) => `Remove-Item Env:${name}`,
  moveFile: (from, to) =>
    `Move-Item -LiteralPath ${quoteForPowershell(from)} ${quoteForPowershell(to)}`,
  feedFile: (file, command) => `Get-Content ${powershell.quote(file)} | ${command}`,
};

/** PowerShell makes two words of one such as `-x.y`, and an array of one with a comma. */
function isBareWord(word: string): boolean {
  return /^[\w=+:./\\\u2026-]+$/.test(word) && !/^-.*[.:]/.test(word);
}

/**
 * In double quotes where nothing in them means anything, as that is what cmd.exe understands too. In single quotes
 * PowerShell ends the text at each of four characters, of which people type only the first.
 */
function quoteForPowershell(word: string): string {
  if (/^[^"$`%\u201c-\u201e]*$/.test(word)) return `"${word}"`;
  return `'${word.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
}

/** Who is on Windows is taken to type into PowerShell. */
export function shellOf(platform = process.platform): Shell {
  return platform === 'win32' ? powershell : posix;
}
