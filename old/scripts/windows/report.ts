import { differences } from './differences.ts';
import { listUnused } from './exceptions.ts';
import type { TestResult } from './read-results.ts';

/** Prints how the tests of a file ended, and why some have failed. */
export function reportFile(version: string, file: string, results: readonly TestResult[]): void {
  print(`${version}  ${file}: ${count(results)}`);
  for (const { state, name, reason } of results)
    if (state === 'failed') print(`  failed: ${name}\n    ${reason}`);
}

/**
 * Prints what was skipped and why, and returns the line that sums up.
 * @param isComplete whether every file was run, so that each exception must have been of use.
 */
export function reportNode(
  version: string,
  results: readonly TestResult[],
  isComplete: boolean,
): string {
  const skipped = results.filter(({ state }) => state === 'skipped');
  const reasons = new Set(skipped.map(({ reason }) => reason));
  print(`\n=== Node ${version}`);
  for (const reason of reasons) {
    const amount = skipped.filter((one) => one.reason === reason).length;
    print(`${String(amount).padStart(4)} skipped: ${reason}`);
  }
  const unused = isComplete ? listUnused(skipped) : [];
  for (const one of unused) print(`failed: no test was skipped for ${one}`);
  if (unused.length > 0 || results.some(({ state }) => state === 'failed')) process.exitCode = 1;
  return `Node ${version}: ${count(results)}, ${unused.length} exceptions unused`;
}

/** Prints what the tests cannot say anything about. */
export function reportDifferences(): void {
  print(`\n=== ${differences.length} things that are not as on Windows`);
  for (const one of differences) print(`     ${one}`);
  print('');
}

function count(results: readonly TestResult[]): string {
  const of = (state: TestResult['state']) => results.filter((one) => one.state === state).length;
  return `${of('passed')} passed, ${of('failed')} failed, ${of('skipped')} skipped`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
