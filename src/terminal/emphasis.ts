/** What needs care, such as the place of a protected store; the words say it too. */
export function emphasizeCare(text: string, hasColor: boolean): string {
  return emphasize(text, '1;33', hasColor);
}

export function emphasizeHeading(text: string, hasColor: boolean): string {
  return emphasize(text, '1', hasColor);
}

export function emphasizeResponse(text: string, hasColor: boolean): string {
  return emphasize(text, '36', hasColor);
}

function emphasize(text: string, code: string, hasColor: boolean): string {
  return hasColor ? `\u001b[${code}m${text}\u001b[0m` : text;
}
