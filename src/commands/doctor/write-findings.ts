import { writeRecords } from '../../terminal/records/record-writer.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { showUnsafe } from '../../terminal/text/safe-text.ts';
import type { CheckResult } from './finding.ts';

/** A line per check, below it what is wrong and what to do. In the other formats, a record per check. */
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
    id: ({ check }) => check,
    columns: [
      { name: 'check', heading: 'CHECK' },
      { name: 'state', heading: 'STATE' },
      { name: 'message', heading: 'MESSAGE' },
    ],
  });
}

async function renderLines({ stdout }: Terminal, results: readonly CheckResult[]): Promise<string> {
  const [{ foldText }, { createStyle }] = await Promise.all([
    import('../../terminal/text/width.ts'),
    import('../../terminal/text/style.ts'),
  ]);
  const { finding } = createStyle(stdout.hasColor);
  const width = Math.max(...results.map(({ check }) => check.length));
  const indent = ' '.repeat('pass'.length + 2 + width + 2);
  const room = stdout.isTerminal ? stdout.columns() - indent.length : Number.POSITIVE_INFINITY;
  const lines = results.flatMap(({ check, state, message, details = [], next = [] }) => {
    const texts = [message, ...details].flatMap((text) => foldText(showUnsafe(text), room));
    // Not folded, so that they can be pasted.
    const tries = next.map((line) => showUnsafe(`Try: ${line}`));
    const [first = '', ...below] = [...texts, ...tries];
    const head = `${finding[state](state)}  ${check.padEnd(width)}  ${first}`;
    return [head, ...below.map((line) => indent + line)];
  });
  return `${lines.join('\n')}\n`;
}
