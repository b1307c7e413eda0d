import { expect, it } from 'vitest';
import { describeError } from '../../../src/program/errors/describe-error.ts';

const { signal } = new AbortController();
const recovery = { rerun: 'petstore add Rex', lookUp: 'petstore list --all --name Rex' };

it.each([
  ['before a write', {}, { outcome: 'not_sent', next: [] }],
  [
    'once a write may have been sent',
    { recovery },
    { outcome: 'unknown', next: [recovery.lookUp] },
  ],
] as const)('a bug %s says as much of its outcome', (_, requestTarget, expected) => {
  const report = describeError(new TypeError('not a function'), { signal, requestTarget });
  expect(report).toMatchObject({ code: 'cli_unexpected', exitCode: 1, retryable: false });
  expect(report).toMatchObject(expected);
});
