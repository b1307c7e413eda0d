import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { findReason, patternOfRunnable } from './exceptions.ts';
import type { Launcher } from './start-launcher.ts';

const Results = v.object({
  testResults: v.array(
    v.object({
      status: v.string(),
      message: v.string(),
      assertionResults: v.array(
        v.object({
          ancestorTitles: v.array(v.string()),
          title: v.string(),
          status: v.string(),
          failureMessages: v.nullish(v.array(v.string())),
        }),
      ),
    }),
  ),
});

/** How one test ended on Windows. */
export interface TestResult {
  file: string;
  name: string;
  state: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped. */
  reason?: string;
}

/** Runs one file of tests, whose program is that on Windows. */
export function runTestFile(file: string, launcher: Launcher, folder: string): TestResult[] {
  const output = path.join(folder, 'results.json');
  rmSync(output, { force: true });
  rmSync(launcher.starts, { force: true });
  const flags = ['--reporter=json', `--outputFile=${output}`, '--testTimeout=120000'];
  const pattern = ['--testNamePattern', patternOfRunnable(file)];
  const words = ['vitest', 'run', '--project', 'all', ...flags, ...pattern, `test/${file}.test.ts`];
  spawnSync('npx', words, {
    env: { ...process.env, PETSTORE_TEST_WINDOWS: launcher.file },
    stdio: 'ignore',
  });
  const results = readResults(file, output);
  const hasPassed = results.some(({ state }) => state === 'passed');
  if (!hasPassed || existsSync(launcher.starts)) return results;
  const reason = 'nothing of it starts the program, so it says nothing about Windows';
  return [...results, { file, name: file, state: 'failed', reason }];
}

function readResults(file: string, output: string): TestResult[] {
  if (!existsSync(output)) return [{ file, name: file, state: 'failed', reason: 'vitest failed' }];
  const { testResults } = v.parse(Results, JSON.parse(readFileSync(output, 'utf8')));
  return testResults.flatMap(({ status: state, message, assertionResults }) => {
    const results = assertionResults.map(({ ancestorTitles, title, status, failureMessages }) => {
      const name = [...ancestorTitles, title].join(' ');
      if (status === 'passed') return { file, name, state: 'passed' } as const;
      if (status !== 'failed')
        return { file, name, state: 'skipped', reason: findReason(file, name) } as const;
      return { file, name, state: 'failed', reason: failureMessages?.join('\n') ?? '' } as const;
    });
    // A hook that fails leaves its tests skipped.
    const isBroken = state === 'failed' && results.every(({ state }) => state !== 'failed');
    const broken = { file, name: file, state: 'failed', reason: message } as const;
    return isBroken ? [...results, broken] : results;
  });
}
