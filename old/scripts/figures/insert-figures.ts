const between = /(<!-- figures: npm run figures -->\n)[\s\S]*?(<!-- \/figures -->)/;

/** Replaces what is between the two marks of a Markdown text. */
export function insertFigures(text: string, figures: string): string {
  if (!between.test(text)) throw new Error('The text has no place for figures.');
  return text.replace(between, (_, start: string, end: string) => `${start}${figures}${end}`);
}
