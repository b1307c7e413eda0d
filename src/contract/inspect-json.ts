import {
  createScanner,
  findNodeAtLocation,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';

/** Where a text that a parser refused stops being JSON (RFC 8259), in UTF-16 units from 0, and why in words. */
export function findJsonMistake(text: string): { offset: number; reason: string } {
  const errors: ParseError[] = [];
  if (!tryParseTree(text, errors)) return { offset: 0, reason: 'too deeply nested' };
  const first = errors[0];
  if (first === undefined) return { offset: 0, reason: 'not JSON' };
  const words = printParseErrorCode(first.error).replace(/(?<=[a-z])[A-Z]/g, ' $&');
  return { offset: first.offset, reason: `not JSON: ${words.toLowerCase()}` };
}

/** The offset of an object's member, or of one inside it, in the object's text; undefined when none can be found. */
export function findMemberOffset(text: string, ...path: string[]): number | undefined {
  const { tree } = tryParseTree(text) ?? {};
  return tree && findNodeAtLocation(tree, path)?.parent?.offset;
}

/** Undefined of what is nested thousands deep, which the parser's own recursion cannot follow. */
function tryParseTree(
  text: string,
  errors: ParseError[] = [],
): { tree: Node | undefined } | undefined {
  try {
    return { tree: parseTree(text, errors, { disallowComments: true }) };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Where an offset of a text is, as people count. */
export function describePlace(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

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
