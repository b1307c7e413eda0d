/**
 * Characters that get into a key when it is copied, and what people call them.
 * Created when it is used: reading such classes at every start would be slow.
 */
const characterNames = (): readonly (readonly [RegExp, string])[] => [
  [/^ $/, 'a space'],
  [/^\t$/, 'a tab'],
  [/^[\r\n\u2028\u2029]$/, 'a line break'],
  [/^\p{Zs}$/u, 'a space of the wrong kind'],
  [/^[\p{Pd}\u2212]$/u, 'a dash of the wrong kind'],
  [/^[\p{Pi}\p{Pf}]$/u, 'a curly quotation mark'],
  [/^[\p{C}\p{Default_Ignorable_Code_Point}]$/u, 'an invisible character'],
];

/** What a key looks like, for those who are to find the mistake in theirs. */
export const KEY_SHAPE =
  'a key is one word of letters, digits and signs such as - and _; those of petstore start with pst_';

/** Why this cannot be a key, such as `has a space at character 5`; undefined when it can. Of the key no more than that character is said. */
export function explainKeyMistake(text: string): string | undefined {
  if (text.trim() === '') return 'is empty';
  const characters = [...text];
  const at = characters.findIndex((character) => !/^[\x21-\x7e]$/.test(character));
  const wrong = characters[at];
  return wrong === undefined ? undefined : `has ${nameCharacter(wrong)} at character ${at + 1}`;
}

function nameCharacter(character: string): string {
  const known = characterNames().find(([pattern]) => pattern.test(character))?.[1];
  if (known !== undefined && character < '\x7f') return known;
  const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  return `${known ?? `"${character}"`} (U+${code})`;
}
