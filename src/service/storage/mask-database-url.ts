/** A database URL of any engine as it may be shown: without its password. */
export function maskDatabaseUrl(text: string): string {
  return text.replace(/^([a-z]+:\/\/[^:/?#@]*):.*@/i, '$1:…@');
}
