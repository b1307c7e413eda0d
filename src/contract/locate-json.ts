import { findNodeAtLocation, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** Where a JSON text stops being JSON (RFC 8259), and why in words. `offset` counts UTF-16 units from 0. */
export interface JsonMistake {
  offset: number;
  reason: string;
}

/** The first mistake of a text that `parseJson` refused. */
export function findJsonMistake(text: string): JsonMistake {
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true });
  const first = errors[0];
  if (first === undefined) return { offset: 0, reason: 'is not JSON' };
  const words = printParseErrorCode(first.error).replace(/(?<=[a-z])[A-Z]/g, ' $&');
  return { offset: first.offset, reason: `is not JSON: ${words.toLowerCase()}` };
}

/** The offset at which an object's member stands in the object's text, or undefined when it has none of this name. */
export function findMemberOffset(text: string, name: string): number | undefined {
  const tree = parseTree(text);
  return tree && findNodeAtLocation(tree, [name])?.parent?.offset;
}
