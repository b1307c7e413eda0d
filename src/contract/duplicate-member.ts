import { visit } from 'jsonc-parser';

/**
 * The first member that an object of this JSON text holds twice, or undefined.
 * No parser reports it: the native one keeps the last value, the exact one passes over equal values.
 */
export function findDuplicateMember(text: string): string | undefined {
  const open: Set<string>[] = [];
  let duplicate: string | undefined;
  visit(text, {
    onObjectBegin: () => {
      open.push(new Set());
    },
    onObjectProperty: (name) => {
      const seen = open.at(-1);
      if (seen?.has(name)) duplicate ??= name;
      seen?.add(name);
    },
    onObjectEnd: () => {
      open.pop();
    },
  });
  return duplicate;
}
