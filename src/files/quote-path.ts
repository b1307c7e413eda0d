/** A path as one word of a POSIX shell, in a line to paste. */
export function quotePath(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}
