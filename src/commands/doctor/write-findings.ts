import { writeRecords } from '../../terminal/record-writer.ts';
import { showUnsafe } from '../../terminal/safe-text.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { CheckResult } from './finding.ts';

/** A line for each check, under it what is wrong and what to do. In the other formats, a record for each. */
export async function writeFindings(
  terminal: Terminal,
  results: readonly CheckResult[],
): Promise<void> {
  if (terminal.format === 'table' && !terminal.isQuiet) {
    return await terminal.stdout.write(await renderLines(terminal, results));
  }
  const records = results.map(({ check, state, message, details = [], next = [] }) => {
    return { check, state, message, details, next };
  });
  await writeRecords(terminal, records, {
    id: 'check',
    columns: [
      { key: 'check', title: 'CHECK' },
      { key: 'state', title: 'STATE' },
      { key: 'message', title: 'MESSAGE' },
    ],
  });
}

async function renderLines({ stdout }: Terminal, results: readonly CheckResult[]): Promise<string> {
  const { createStyle } = await import('../../terminal/style.ts');
  const { finding } = createStyle(stdout.hasColor);
  const width = Math.max(...results.map(({ check }) => check.length));
  const lines = results.flatMap(({ check, state, message, details = [], next = [] }) => {
    const head = `${finding[state](state)}  ${check.padEnd(width)}  ${showUnsafe(message)}`;
    const indent = ' '.repeat('pass'.length + 2 + width + 2);
    const below = [...details, ...next.map((line) => `Try: ${line}`)];
    return [head, ...below.map((line) => indent + showUnsafe(line))];
  });
  return `${lines.join('\n')}\n`;
}
