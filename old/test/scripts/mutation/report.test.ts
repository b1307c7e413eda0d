import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findLines, summarize } from '../../../scripts/mutation/report.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const source = "const a = f('');\nconst b = g('');\n";
const text = `StringLiteral: \`''\` → \`"x"\``;

/** A mutant of the text in a line. */
const mutant = (line: number, status: string) => ({
  ...{ mutatorName: 'StringLiteral', replacement: '"x"', status },
  location: { start: { line, column: 13 }, end: { line, column: 15 } },
});

describe('the lines about a file', () => {
  const page = `# Mutants\n\n## src/a.ts.old\n\n- ${text}: another.\n\n## src/a.ts\n\nOf a pattern:\n
- ${text}: a reason\n  of two lines.\n- ${text}: likewise.\n`;

  it.each([
    ['src/a.ts', [`- ${text}: a reason of two lines.`, `- ${text}: likewise.`]],
    ['src/a.ts.old', [`- ${text}: another.`]],
    ['src/b.ts', []],
  ])('%s are those below its heading', (file, lines) => {
    expect(findLines(page, file)).toEqual(lines);
  });
});

describe('a line about a survivor', () => {
  const line = `- ${text}: a reason.`;
  const [first, second] = [
    { line: 1, text },
    { line: 2, text },
  ];

  it.each([
    ['excuses it', ['Survived'], [line], [], []],
    ['excuses one of two that are equal', ['Survived', 'Survived'], [line], [second], []],
    ['is there once for each', ['Survived', 'Survived'], [line, line], [], []],
    ['excuses one that no test reaches', ['NoCoverage'], [line], [], []],
    ['excuses none without a reason', ['Survived'], [`- ${text}`], [first], [`- ${text}`]],
    ['is stale once the mutant is noticed', ['Killed'], [line], [], [line]],
    ['is stale beyond their number', ['Survived', 'Killed'], [line, line], [], [line]],
    ['may be about one that was not tried', ['Ignored'], [line], [], []],
    ['may be about one that ran out of time', ['Timeout'], [line], [], []],
    ['is first about one that survives', ['Ignored', 'Survived'], [line], [], []],
  ])('%s', (_rule, statuses, lines, unread, stale) => {
    const mutants = statuses.map((status, at) => mutant(at + 1, status));
    expect(summarize({ source, mutants }, lines)).toMatchObject({ unread, stale });
  });
});

describe('mutation/survivors.md', () => {
  const page = readFileSync(path.join(root, 'mutation/survivors.md'), 'utf8');
  const files = [...page.matchAll(/^## (.*)$/gm)].map(([, file = '']) => file);

  it('has one heading per file, of files that exist', () => {
    expect(files.filter((file, at) => files.indexOf(file) !== at)).toEqual([]);
    expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });

  it('gives each mutant a reason', () => {
    const lines = files.flatMap((file) => findLines(page, file));
    expect(lines.length).toBeGreaterThan(files.length);
    expect(lines.filter((line) => !/^- \w+: `.*` → `.*`: \S/.test(line))).toEqual([]);
  });
});
