import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const test = path.resolve(import.meta.dirname, '../../test');

/** What is to be tested. */
export interface TestPlan {
  /** Of Node, such as 24. */
  versions: readonly string[];
  /** Of tests, below `test` and without ending. */
  files: readonly string[];
  /** Whether these are all files. */
  isComplete: boolean;
  /** The folder that is kept, with the results in it. */
  folder: string | undefined;
}

/** Reads `[--keep <folder>] <version of Node>… <file of tests>…`. */
export function readArguments(words: readonly string[]): TestPlan {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { keep: { type: 'string' } },
  });
  const versions = positionals.filter((word) => /^\d/.test(word));
  const names = positionals.filter((word) => !/^\d/.test(word));
  const all = ['readme', ...listEndToEnd()];
  const isKnown = (name: string) => all.some((file) => path.basename(file) === name);
  const unknown = names.filter((name) => !isKnown(name));
  if (unknown.length > 0) throw new Error(`There is no file of tests ${unknown.join(', ')}.`);
  return {
    versions: versions.length > 0 ? versions : ['20', '22', '24'],
    files: all.filter((file) => names.length === 0 || names.includes(path.basename(file))),
    isComplete: names.length === 0,
    folder: values.keep === undefined ? undefined : path.resolve(values.keep),
  };
}

function listEndToEnd(): string[] {
  return (
    readdirSync(path.join(test, 'e2e'))
      // standalone is about another program.
      .filter((name) => name.endsWith('.test.ts') && name !== 'standalone.test.ts')
      .map((name) => `e2e/${name.replace('.test.ts', '')}`)
  );
}
