import { EventEmitter } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { watchSignals } from '../../src/program/watch-signals.ts';

function watch(platform: NodeJS.Platform) {
  const source = Object.assign(new EventEmitter(), { platform });
  const exit = vi.fn();
  return { source, exit, ...watchSignals(exit, source) };
}

describe('signals', () => {
  it.each([
    ['linux', 'SIGINT', 'SIGINT', 130],
    ['linux', 'SIGTERM', 'SIGTERM', 143],
    ['win32', 'SIGINT', 'SIGINT', 130],
    ['win32', 'SIGBREAK', 'SIGTERM', 143],
  ] as const)('on %s the first %s asks to stop, the second ends at once', (...given) => {
    const [platform, name, reason, exitCode] = given;
    const { source, exit, signal } = watch(platform);
    source.emit(name);
    expect(signal.reason).toEqual({ signal: reason });
    expect(exit).not.toHaveBeenCalled();
    source.emit(name);
    expect(exit).toHaveBeenCalledWith(exitCode);
  });

  it('SIGHUP calls the listener in place of ending the program', () => {
    const { source, signal, handleHangup } = watch('linux');
    const listener = vi.fn();
    handleHangup(listener);
    source.emit('SIGHUP');
    expect(listener).toHaveBeenCalledOnce();
    expect(signal.aborted).toBe(false);
  });

  it('on Windows SIGHUP is the end of the console, whoever listens', () => {
    const { source, signal, handleHangup } = watch('win32');
    const listener = vi.fn();
    handleHangup(listener);
    source.emit('SIGHUP');
    expect(listener).not.toHaveBeenCalled();
    expect(signal.reason).toEqual({ signal: 'SIGHUP' });
  });
});
