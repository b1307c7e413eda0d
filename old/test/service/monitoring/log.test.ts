import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog, type LogLevel } from '../../../src/service/monitoring/log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createRecorded(level: LogLevel = 'info') {
  const lines: string[] = [];
  const log = createLog((line) => void lines.push(line), level);
  return { log, entries: () => lines.map((line) => JSON.parse(line)) };
}

describe('lines of one kind', () => {
  it('that come in floods are one summary per second', () => {
    const { log, entries } = createRecorded();
    for (let index = 0; index < 5_000; index += 1) {
      log.info?.('responded', { status: 404, operation: 'none', requestId: `r${index}` });
      if (index % 500 === 499) vi.advanceTimersByTime(250);
    }
    vi.advanceTimersByTime(2_000);
    const singles = entries().filter(({ requestId }) => requestId !== undefined);
    const summaries = entries().filter(({ count }) => count !== undefined);
    expect(singles).toHaveLength(10);
    expect(summaries.length).toBeLessThanOrEqual(4);
    expect(summaries.reduce((sum, { count }) => sum + count, 0)).toBe(4_990);
    expect(summaries[0]).toEqual({
      ...{ time: expect.any(String), level: 'info', message: 'responded' },
      ...{ status: 404, operation: 'none', count: expect.any(Number) },
    });
  });

  it('are written singly again after a second without them', () => {
    const { log, entries } = createRecorded();
    for (let index = 0; index < 50; index += 1) log.info?.('responded', { status: 404 });
    vi.advanceTimersByTime(3_000);
    log.info?.('responded', { status: 404, requestId: 'mine' });
    expect(entries().at(-1)).toMatchObject({ requestId: 'mine' });
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(3_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('do not hide those of another kind', () => {
    const { log, entries } = createRecorded();
    for (let index = 0; index < 50; index += 1) log.info?.('responded', { status: 404 });
    log.info?.('responded', { status: 401 });
    log.warn?.('responded', { status: 404 });
    log.info?.('stopped');
    expect(entries()).toHaveLength(13);
  });

  it('have no summary when none was left out', () => {
    const { log, entries } = createRecorded();
    for (let index = 0; index < 10; index += 1) log.info?.('responded', { status: 404 });
    log.flush();
    expect(entries()).toHaveLength(10);
  });

  it('are all there at debug', () => {
    const { log, entries } = createRecorded('debug');
    for (let index = 0; index < 50; index += 1) log.debug?.('responded', { status: 404 });
    expect(entries()).toHaveLength(50);
    expect(entries()[0]).toMatchObject({ level: 'debug', message: 'responded', status: 404 });
  });

  it('are summed up when the log is flushed', () => {
    const { log, entries } = createRecorded();
    for (let index = 0; index < 50; index += 1) log.info?.('responded', { status: 404 });
    log.flush();
    expect(entries().at(-1)).toMatchObject({ count: 40 });
  });
});
