import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { patternOfRunnable } from './exceptions.ts';
import { readResults, type TestResult } from './read-results.ts';
import { type Launcher, startLauncher, type WindowsProgram } from './start-launcher.ts';

/**
 * Runs one file of tests, whose program is that on Windows.
 * @param folder where its results are kept once it has passed, which are returned when it is run again.
 */
export async function runTestFile(
  file: string,
  program: WindowsProgram,
  folder: string,
): Promise<TestResult[]> {
  const passed = path.join(folder, `${path.basename(file)}.json`);
  if (existsSync(passed)) {
    const results = readResults(file, passed);
    // Unless an exception it was skipped for has gone.
    if (!results.some(({ state }) => state === 'failed')) return results;
  }
  const output = `${passed}.new`;
  rmSync(output, { force: true });
  const launcher = await startLauncher(program, folder);
  await runVitest(file, output, launcher);
  const problem = await launcher.stop();
  const results = readResults(file, output);
  if (problem !== undefined) return [{ file, name: file, state: 'failed', reason: problem }];
  if (results.some(({ state }) => state === 'failed')) return results;
  if (results.some(({ state }) => state === 'passed') && !launcher.wasUsed()) {
    const reason = 'nothing of it starts the program, so it says nothing about Windows';
    return [...results, { file, name: file, state: 'failed', reason }];
  }
  renameSync(output, passed);
  return results;
}

async function runVitest(file: string, output: string, launcher: Launcher): Promise<void> {
  const flags = ['--reporter=json', `--outputFile=${output}`, '--testTimeout=120000'];
  const pattern = ['--testNamePattern', patternOfRunnable(file)];
  const words = ['run', '--project', 'all', ...flags, ...pattern, `test/${file}.test.ts`];
  const child = spawn('node_modules/.bin/vitest', words, {
    cwd: path.resolve(import.meta.dirname, '../..'),
    env: { ...process.env, PETSTORE_TEST_WINDOWS: launcher.file },
    stdio: 'ignore',
  });
  // Without the agent every test would wait for its time to end.
  void launcher.ended.then(() => child.kill());
  await once(child, 'exit');
}
