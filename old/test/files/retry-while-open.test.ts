import { describe, expect, it } from 'vitest';
import { retryWhileOpen } from '../../src/files/retry-while-open.ts';

/** Fails so often with this code, then succeeds. */
function failFirst(times: number, code: string) {
  let calls = 0;
  const action = () => {
    calls += 1;
    if (calls > times) return 'done';
    throw Object.assign(new Error(code), { code, syscall: 'rename' });
  };
  return { action, calls: () => calls };
}

describe('a file that somebody has open', () => {
  it.each(['EPERM', 'EACCES', 'EBUSY'])('is tried again on Windows after %s', (code) => {
    const { action, calls } = failFirst(3, code);
    expect(retryWhileOpen(action, 'win32')).toBe('done');
    expect(calls()).toBe(4);
  });

  it('is given up after a while', () => {
    const { action } = failFirst(Number.POSITIVE_INFINITY, 'EPERM');
    expect(() => retryWhileOpen(action, 'win32', 20)).toThrow('EPERM');
  });

  it.each([
    ['linux', 'EPERM'],
    ['win32', 'ENOENT'],
  ] as const)('is not what fails: on %s %s is thrown at once', (platform, code) => {
    const { action, calls } = failFirst(1, code);
    expect(() => retryWhileOpen(action, platform)).toThrow(code);
    expect(calls()).toBe(1);
  });
});
