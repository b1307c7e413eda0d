import { createScanner, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** More levels than anything of ours has, and fewer than end the recursion of any parser. */
const MAX_LEVELS = 1_000;

/** Where a text that a parser refused stops being JSON (RFC 8259), in UTF-16 units from 0, and why in words. */
export function findJsonMistake(text: string): { offset: number; reason: string } {
  const deepest = findDeepLevel(text);
  const errors: ParseError[] = [];
  parseTree(text.slice(0, deepest), errors, { disallowComments: true });
  const first = errors[0];
  // What is cut off has its mistake at the cut.
  if (deepest !== undefined && (first === undefined || first.offset >= deepest))
    return { offset: deepest, reason: 'too deeply nested' };
  if (first === undefined) return { offset: 0, reason: 'not JSON' };
  const words = printParseErrorCode(first.error).replace(/(?<=[a-z])[A-Z]/g, ' $&');
  return { offset: first.offset, reason: `not JSON: ${words.toLowerCase()}` };
}

const closing: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/** The offset of the first bracket that opens a level too many; undefined when none does. */
function findDeepLevel(text: string): number | undefined {
  const scanner = createScanner(text, true);
  /** How each level that is open ends; the parser takes no other bracket for its end either. */
  const ends: string[] = [];
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const offset = scanner.getTokenOffset();
    const token = text[offset] ?? '';
    const end = closing[token];
    if (end !== undefined) ends.push(end);
    else if (token === ends.at(-1)) ends.pop();
    if (ends.length > MAX_LEVELS) return offset;
  }
  return undefined;
}

/**
 * The offset of an object's member, or of one inside it, in the object's text. When the path leads to nothing it is that of
 * the last member on it that is there; undefined when none is.
 */
export function findMemberOffset(text: string, ...path: string[]): number | undefined {
  let found: number | undefined;
  let depth = 0;
  for (const { name, offset, level } of readMembers(text)) {
    // The value of the last one that was found is over.
    if (level <= depth) return found;
    if (level !== depth + 1 || name !== path[depth]) continue;
    found = offset;
    depth += 1;
  }
  return found;
}

/** Where an offset of a text is, as people count. */
export function describePlace(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/**
 * The first member that an object of this JSON text holds twice, or undefined.
 * No parser reports it: the native one keeps the last value, the exact one passes over equal values.
 */
export function findDuplicateMember(text: string): string | undefined {
  for (const { name, earlier } of readMembers(text)) if (earlier.has(name)) return name;
  return undefined;
}

interface Member {
  name: string;
  offset: number;
  /** How many brackets are open around it. */
  level: number;
  /** The names of its object in front of it. */
  earlier: ReadonlySet<string>;
}

/** The members of each object of a JSON text. Token by token, as a parser that calls itself cannot follow thousands of levels. */
function* readMembers(text: string): Generator<Member, void, undefined> {
  const scanner = createScanner(text, true);
  /** The names of each object that is open; undefined for an array. */
  const open: (Set<string> | undefined)[] = [];
  /** Those of the object in which a name comes next. */
  let names: Set<string> | undefined;
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const offset = scanner.getTokenOffset();
    switch (text[offset]) {
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
        if (names === undefined) break;
        const name = scanner.getTokenValue();
        yield { name, offset, level: open.length, earlier: names };
        names.add(name);
        // What follows is its value.
        names = undefined;
        break;
      }
    }
  }
}
