import { existsSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { findReason } from './exceptions.ts';

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

type Assertion = v.InferOutput<typeof Results>['testResults'][number]['assertionResults'][number];

/** How one test ended on Windows. */
export interface TestResult {
  file: string;
  name: string;
  state: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped. */
  reason?: string;
}

/** Reads what vitest wrote about a file of tests. */
export function readResults(file: string, output: string): TestResult[] {
  if (!existsSync(output)) return [{ file, name: file, state: 'failed', reason: 'vitest failed' }];
  const { testResults } = v.parse(Results, JSON.parse(readFileSync(output, 'utf8')));
  return testResults.flatMap(({ status, message, assertionResults }) => {
    const results = assertionResults.map((one) => readResult(file, one));
    // A hook that fails leaves its tests skipped.
    const isBroken = status === 'failed' && results.every(({ state }) => state !== 'failed');
    const broken = { file, name: file, state: 'failed', reason: message } as const;
    return isBroken ? [...results, broken] : results;
  });
}

function readResult(file: string, assertion: Assertion): TestResult {
  const { ancestorTitles, title, status, failureMessages } = assertion;
  const name = [...ancestorTitles, title].join(' ');
  if (status === 'passed') return { file, name, state: 'passed' };
  if (status === 'failed')
    return { file, name, state: 'failed', reason: failureMessages?.join('\n') ?? '' };
  const reason = findReason(file, name);
  if (reason !== undefined) return { file, name, state: 'skipped', reason };
  return { file, name, state: 'failed', reason: 'skipped, and no exception says why' };
}
