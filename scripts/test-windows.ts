/**
 * Runs the end-to-end tests and the README's sessions with petstore on Windows, as far as Wine is one:
 * `npm run test:windows [-- <version of Node>… <file of tests>…]`, as root on Debian; needs the network.
 * The tests and the services of their own run on Linux, petstore and `petstore serve` in Wine.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listUnused } from './windows/exceptions.ts';
import { installPackage } from './windows/install-package.ts';
import { installWindows } from './windows/install-windows.ts';
import { installWindowsNode } from './windows/install-windows-node.ts';
import { runTestFile, type TestResult } from './windows/run-test-file.ts';
import { startLauncher } from './windows/start-launcher.ts';

const given = process.argv.slice(2);
const versions = given.filter((word) => /^\d/.test(word));
const names = given.filter((word) => !/^\d/.test(word));
const test = path.resolve(import.meta.dirname, '../test');
const files = ['readme', ...listEndToEnd()].filter(
  (file) => names.length === 0 || names.includes(path.basename(file)),
);

const work = mkdtempSync(path.join(tmpdir(), 'petstore-windows-'));
const windows = installWindows(work);
const lines: string[] = [];
try {
  const program = installPackage(work);
  for (const version of versions.length > 0 ? versions : ['20', '22', '24']) {
    lines.push(report(`Node ${version}`, await testOn(version, program)));
  }
} finally {
  windows.stop();
  rmSync(work, { recursive: true, force: true });
}
process.stdout.write(`\n${lines.join('\n')}\n`);

function listEndToEnd(): string[] {
  return (
    readdirSync(path.join(test, 'e2e'))
      // standalone is about another program.
      .filter((name) => name.endsWith('.test.ts') && name !== 'standalone.test.ts')
      .map((name) => `e2e/${name.replace('.test.ts', '')}`)
  );
}

async function testOn(version: string, program: string): Promise<TestResult[]> {
  const folder = path.join(work, version);
  mkdirSync(folder);
  const node = installWindowsNode(version, folder);
  const launcher = await startLauncher({ windows, node, program }, folder);
  try {
    return files.flatMap((file) => {
      const results = runTestFile(file, launcher, folder);
      process.stdout.write(`${version}  ${file}: ${count(results)}\n`);
      for (const { state, name, reason } of results)
        if (state === 'failed') process.stdout.write(`  failed: ${name}\n    ${reason}\n`);
      return results;
    });
  } finally {
    await launcher.stop();
  }
}

/** Prints what was skipped and why, and returns the line that sums up. */
function report(title: string, results: readonly TestResult[]): string {
  const skipped = results.filter(({ state }) => state === 'skipped');
  const reasons = new Set(skipped.map(({ reason }) => reason));
  process.stdout.write(`\n=== ${title}\n`);
  for (const reason of reasons) {
    const amount = skipped.filter((one) => one.reason === reason).length;
    process.stdout.write(`${String(amount).padStart(4)} skipped: ${reason}\n`);
  }
  const unused = names.length > 0 ? [] : listUnused(skipped);
  for (const one of unused) process.stdout.write(`failed: no test was skipped for ${one}\n`);
  if (unused.length > 0 || results.some(({ state }) => state === 'failed')) process.exitCode = 1;
  return `${title}: ${count(results)}`;
}

function count(results: readonly TestResult[]): string {
  const of = (state: TestResult['state']) => results.filter((one) => one.state === state).length;
  return `${of('passed')} passed, ${of('failed')} failed, ${of('skipped')} skipped`;
}
