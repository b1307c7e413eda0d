/** Prints every message of the program in one list, from the table of error codes and the golden files. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { errorCodes } from './messages/error-codes.ts';

const golden = path.resolve(import.meta.dirname, '../test/golden');
const read = (file: string) => readFileSync(path.join(golden, file), 'utf8').trimEnd();

const errors = Object.entries(errorCodes).map(
  ([code, { exit, retry, meaning }]) =>
    `## ${code}: ${meaning} (exit ${exit}; retry helps: ${retry})\n\n${read(`errors/${code}.txt`)}\n`,
);

/** What scripts are told; people read the same sentences. */
const lines = readdirSync(path.join(golden, 'json'))
  .filter((file) => file.endsWith('.jsonl'))
  .flatMap((file) => read(`json/${file}`).split('\n'))
  .map((line) => /"type":"(\w+)".*?"message":("(?:[^"\\]|\\.)*")/.exec(line))
  .flatMap((found) => (found ? [`${found[1]}: ${JSON.parse(found[2] ?? '""')}`] : []));

const sections = [
  '# Errors\n',
  ...errors,
  '# Notices, when all goes well\n',
  `${read('notices.txt')}\n`,
  '# Lines for scripts\n',
  `${[...new Set(lines)].sort().join('\n')}\n`,
];
process.stdout.write(`${sections.join('\n')}\n`);
