/**
 * Runs the end-to-end tests and the README's sessions with petstore on Windows, as far as Wine is one:
 * `npm run test:windows [-- <version of Node>… <file of tests>…]`, as root on Debian; needs the network.
 * The tests and the services of their own run on Linux, petstore and `petstore serve` in Wine.
 * With `--keep <folder>` it can be stopped and started again: the package that was installed there first is tested, and a
 * file that has passed is not run again.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installPackage } from './windows/install-package.ts';
import { installWindows } from './windows/install-windows.ts';
import { installWindowsNode } from './windows/install-windows-node.ts';
import { readArguments } from './windows/read-arguments.ts';
import type { TestResult } from './windows/read-results.ts';
import { reportDifferences, reportFile, reportNode } from './windows/report.ts';
import { runTestFile } from './windows/run-test-file.ts';

const { versions, files, isComplete, folder } = readArguments(process.argv.slice(2));
const work = folder ?? mkdtempSync(path.join(tmpdir(), 'petstore-windows-'));
mkdirSync(work, { recursive: true });
const windows = installWindows(work);
const sums: string[] = [];
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    isStopped = true;
    process.exitCode = 1;
    // Which ends the tests that are running.
    windows.stop();
  });
}
try {
  const program = installPackage(work);
  for (const version of versions) {
    sums.push(reportNode(version, await testOn(version, program), isComplete));
  }
} finally {
  windows.stop();
  if (folder === undefined) rmSync(work, { recursive: true, force: true });
}
reportDifferences();
process.stdout.write(`${sums.join('\n')}\n`);

async function testOn(version: string, program: string): Promise<TestResult[]> {
  const own = path.join(work, version);
  const node = installWindowsNode(version, own);
  const results: TestResult[] = [];
  for (const file of files) {
    if (isStopped) break;
    const found = await runTestFile(file, { windows, node, program }, own);
    reportFile(version, file, found);
    results.push(...found);
  }
  return results;
}
