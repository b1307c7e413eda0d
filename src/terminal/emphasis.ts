/** What needs care, such as the place of a protected store; the words say it too. */
export function emphasizeCare(text: string, hasColor: boolean): string {
  return hasColor ? `\u001b[1;33m${text}\u001b[0m` : text;
}

export function emphasizeHeading(text: string, hasColor: boolean): string {
  return hasColor ? `\u001b[1m${text}\u001b[0m` : text;
}
