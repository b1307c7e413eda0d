import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Connection } from '../../../../../src/service/storage/postgres/connection/open-connection.ts';
import { startStallGuard } from '../../../../../src/service/storage/postgres/connection/stall-guard.ts';

const LOOK_MS = 250;

function guard(oldestAge: number, probe: { waiting: number; oldestAge: number }) {
  const abandon = vi.fn();
  const connection: Connection = {
    ...{ waiting: 1, oldestAge, abandon, close: async () => {} },
    ...{ query: async () => [], transact: async () => [] },
  };
  const sendProbe = vi.fn(async () => {});
  onTestFinished(startStallGuard([connection], probe, sendProbe));
  return { abandon, sendProbe };
}

const idle = { waiting: 0, oldestAge: 0 };

describe('the guard against a database that stalls', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
  });

  it.each([
    { age: 900, probe: idle, probes: 0, abandons: 0 },
    { age: 1_100, probe: idle, probes: 1, abandons: 0 },
    { age: 1_100, probe: { waiting: 1, oldestAge: 900 }, probes: 0, abandons: 0 },
    { age: 900, probe: { waiting: 1, oldestAge: 1_100 }, probes: 0, abandons: 0 },
    { age: 1_100, probe: { waiting: 1, oldestAge: 1_100 }, probes: 0, abandons: 1 },
  ])(
    'with a statement of $age ms and the probe at $probe.oldestAge ms probes $probes and gives up $abandons',
    ({ age, probe, probes, abandons }) => {
      const { abandon, sendProbe } = guard(age, probe);
      vi.advanceTimersByTime(LOOK_MS);
      expect(sendProbe).toHaveBeenCalledTimes(probes);
      expect(abandon).toHaveBeenCalledTimes(abandons);
    },
  );

  it('does not mistake a pause of its own process for a stall', () => {
    const { abandon } = guard(5_000, { waiting: 1, oldestAge: 5_000 });
    const now = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(now + 5_000);
    vi.advanceTimersByTime(LOOK_MS);
    expect(abandon).not.toHaveBeenCalled();
    vi.mocked(performance.now).mockReturnValue(now + 5_000 + LOOK_MS);
    vi.advanceTimersByTime(LOOK_MS);
    expect(abandon).toHaveBeenCalledOnce();
  });
});
