import { createScanner } from 'jsonc-parser';

/**
 * The first member that an object of this JSON text holds twice, or undefined.
 * No parser reports it: the native one keeps the last value, the exact one passes over equal values.
 * Token by token, as a parser that calls itself cannot follow thousands of levels.
 */
export function findDuplicateMember(text: string): string | undefined {
  const scanner = createScanner(text, true);
  /** The names of each object that is open; undefined for an array. */
  const open: (Set<string> | undefined)[] = [];
  let names: Set<string> | undefined;
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    switch (text[scanner.getTokenOffset()]) {
      case '{':
        names = new Set();
        open.push(names);
        break;
      case '[':
        names = undefined;
        open.push(names);
        break;
      case '}':
      case ']':
        open.pop();
        names = undefined;
        break;
      case ',':
        names = open.at(-1);
        break;
      case '"': {
        const name = scanner.getTokenValue();
        if (names?.has(name)) return name;
        names?.add(name);
        // What follows is its value.
        names = undefined;
        break;
      }
    }
  }
  return undefined;
}
