import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLog } from '../../../src/service/monitoring/log.ts';
import { openReadiness } from '../../../src/service/monitoring/readiness.ts';
import { openStore } from '../../../src/service/storage/databases.ts';
import {
  type Store,
  StoreDamagedError,
  StoreMalformedError,
  StoreUnavailableError,
} from '../../../src/service/storage/store.ts';

const rex = { pet: { name: 'Rex', categoryId: 7n, status: 'available' } } as const;
const SECOND = 1_000;

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

/** Watches a real store in memory, with these methods failing as a database would make them. */
async function watch(failing: Partial<Store>) {
  const store = await openStore('sqlite::memory:');
  const lines: string[] = [];
  const watched = { ...store, ...failing };
  const readiness = openReadiness(
    watched,
    createLog((line) => lines.push(line), 'info'),
  );
  readiness.startServing();
  onTestFinished(async () => {
    readiness.close();
    await store.close();
  });
  const levels = () => lines.map((line) => JSON.parse(line).level);
  const messages = () => lines.map((line) => JSON.parse(line).message);
  return { readiness, levels, messages, add: () => readiness.store.addPets([rex], new Date()) };
}

const refuse = async () => {
  throw new StoreUnavailableError('the disk is full');
};

describe('readiness', () => {
  it('begins when clients reach the service', async () => {
    const store = await openStore('sqlite::memory:');
    const readiness = openReadiness(
      store,
      createLog(() => {}, 'silent'),
    );
    onTestFinished(async () => {
      readiness.close();
      await store.close();
    });
    expect(readiness.obstacle).toBe('the service does not listen yet');
    readiness.startServing();
    expect(readiness.obstacle).toBeUndefined();
  });

  it('ends with a look that fails, and returns with the next one, without a write of its own', async () => {
    const checkReady = vi.fn(async () => {}).mockImplementationOnce(refuse);
    const tryWrite = vi.fn(async () => {});
    const { readiness, messages } = await watch({ checkReady, tryWrite });
    await vi.advanceTimersByTimeAsync(SECOND);
    expect(readiness.obstacle).toBe('the disk is full');
    await vi.advanceTimersByTimeAsync(SECOND);
    expect(readiness.obstacle).toBeUndefined();
    expect(tryWrite).not.toHaveBeenCalled();
    expect(messages()).toEqual(['not ready', 'ready again']);
  });

  it('does not end with a look for a key that fails, which tells nothing of an add', async () => {
    const { readiness } = await watch({ findKey: refuse });
    await expect(readiness.store.findKey(new Uint8Array(32))).rejects.toThrow('the disk is full');
    expect(readiness.obstacle).toBeUndefined();
  });

  it('ends with a write that fails, and returns with the next one that does not', async () => {
    const addPets = vi.fn().mockImplementationOnce(refuse).mockResolvedValue([]);
    const { readiness, messages, add } = await watch({ addPets });
    expect(readiness.obstacle).toBeUndefined();
    await expect(add()).rejects.toThrow('the disk is full');
    expect(readiness.obstacle).toBe('the disk is full');
    await add();
    expect(readiness.obstacle).toBeUndefined();
    expect(messages()).toEqual(['not ready', 'ready again']);
  });

  it('returns by a small write of its own, tried each second after a failed one only', async () => {
    const tryWrite = vi.fn<Store['tryWrite']>(refuse);
    const { readiness, add } = await watch({ addPets: refuse, tryWrite });
    await vi.advanceTimersByTimeAsync(5 * SECOND);
    expect(tryWrite).not.toHaveBeenCalled();
    await expect(add()).rejects.toThrow();
    await vi.advanceTimersByTimeAsync(3 * SECOND);
    expect(tryWrite).toHaveBeenCalledTimes(3);
    expect(readiness.obstacle).toBe('the disk is full');
    tryWrite.mockImplementation(async () => {});
    await vi.advanceTimersByTimeAsync(SECOND);
    expect(readiness.obstacle).toBeUndefined();
  });

  it.each(['addPets', 'findKey', 'recordKeyUses', 'checkReady'] as const)(
    'ends with damage found by %s until the trial finds none, whatever else succeeds, and is logged once, as an error',
    async (method) => {
      const damaged = async () => {
        throw new StoreDamagedError('its table is missing');
      };
      const failing = {
        addPets: vi.fn(async () => []),
        recordKeyUses: vi.fn(async () => {}),
        findKey: vi.fn(async () => undefined),
        checkReady: vi.fn(async () => {}),
        tryWrite: vi.fn<Store['tryWrite']>(damaged),
      };
      failing[method].mockImplementationOnce(damaged);
      const { readiness, levels, messages, add } = await watch(failing);
      const { store } = readiness;
      const calls = {
        addPets: add,
        recordKeyUses: () => store.recordKeyUses([]),
        findKey: () => store.findKey(new Uint8Array(32)),
      };
      if (method === 'checkReady') await vi.advanceTimersByTimeAsync(SECOND);
      else await expect(calls[method]()).rejects.toThrow('its table is missing');
      for (let second = 0; second < 4; second += 1) {
        await add();
        await store.recordKeyUses([]);
        expect(readiness.obstacle).toBe('its table is missing');
        await vi.advanceTimersByTimeAsync(SECOND);
        expect(readiness.obstacle).toBe('its table is missing');
      }
      failing.tryWrite.mockImplementation(async () => {});
      await vi.advanceTimersByTimeAsync(SECOND);
      expect(readiness.obstacle).toBeUndefined();
      expect(levels()).toEqual(['error', 'info']);
      expect(messages()).toEqual(['not ready', 'ready again']);
    },
  );

  it.each(['addPets', 'findKey', 'checkReady'] as const)(
    'ends for good with a malformed page found by %s, where no trial of a write is made',
    async (method) => {
      const malformed = async () => {
        throw new StoreMalformedError('a page is malformed');
      };
      const failing = {
        addPets: vi.fn(async () => []),
        findKey: vi.fn(async () => undefined),
        checkReady: vi.fn(async () => {}),
        tryWrite: vi.fn<Store['tryWrite']>(async () => {}),
      };
      failing[method].mockImplementationOnce(malformed);
      const { readiness, levels, add } = await watch(failing);
      if (method === 'addPets') await expect(add()).rejects.toThrow('malformed');
      else if (method === 'checkReady') await vi.advanceTimersByTimeAsync(SECOND);
      else await expect(readiness.store.findKey(new Uint8Array(32))).rejects.toThrow('malformed');
      for (let second = 0; second < 3; second += 1) {
        await add();
        await vi.advanceTimersByTimeAsync(SECOND);
        expect(readiness.obstacle).toBe('a page is malformed');
      }
      expect(failing.tryWrite).not.toHaveBeenCalled();
      expect(levels()).toEqual(['error']);
    },
  );

  it('ends while a write does not, as on a disk that hangs, and returns with its end', async () => {
    let finish = () => {};
    const addPets = () => new Promise<[]>((resolve) => (finish = () => resolve([])));
    const tryWrite = () => new Promise<void>(() => {});
    const { readiness, add } = await watch({ addPets, tryWrite });
    await vi.advanceTimersByTimeAsync(5 * SECOND);
    const adding = add();
    await vi.advanceTimersByTimeAsync(3 * SECOND);
    expect(readiness.obstacle).toBeUndefined();
    await vi.advanceTimersByTimeAsync(2 * SECOND);
    expect(readiness.obstacle).toBe('a write has not ended for seconds');
    finish();
    await adding;
    expect(readiness.obstacle).toBeUndefined();
  });

  it('does not end while writes that were sent at once end one after the other', async () => {
    const ends: (() => void)[] = [];
    const addPets = () => new Promise<[]>((resolve) => ends.push(() => resolve([])));
    const { readiness, add } = await watch({ addPets });
    const adding = [add(), add()];
    for (const end of ends) {
      await vi.advanceTimersByTimeAsync(2 * SECOND);
      expect(readiness.obstacle).toBeUndefined();
      end();
    }
    await Promise.all(adding);
    const last = [add(), add()];
    ends[2]?.();
    await last[0];
    await vi.advanceTimersByTimeAsync(5 * SECOND);
    expect(readiness.obstacle).toBe('a write has not ended for seconds');
    ends[3]?.();
    await last[1];
  });

  it('does not end with a failure of the program itself', async () => {
    const addPets = async () => {
      throw new TypeError('a bug');
    };
    const { readiness, add } = await watch({ addPets });
    await expect(add()).rejects.toThrow('a bug');
    expect(readiness.obstacle).toBeUndefined();
  });

  it('ends within two seconds when the database does not respond, is asked once meanwhile, and returns with its response', async () => {
    let respond = () => {};
    const checkReady = vi.fn(() => new Promise<void>((resolve) => (respond = resolve)));
    const { readiness, messages } = await watch({ checkReady });
    await vi.advanceTimersByTimeAsync(2 * SECOND);
    expect(readiness.obstacle).toBe('the database does not respond');
    await vi.advanceTimersByTimeAsync(5 * SECOND);
    expect(checkReady).toHaveBeenCalledTimes(1);
    respond();
    await vi.advanceTimersByTimeAsync(0);
    expect(readiness.obstacle).toBeUndefined();
    expect(messages()).toEqual(['not ready', 'ready again']);
  });

  it('blames a pause of the process itself on nobody', async () => {
    const { readiness } = await watch({ checkReady: () => new Promise(() => {}) });
    await vi.advanceTimersByTimeAsync(SECOND);
    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 6 * SECOND);
    onTestFinished(() => now.mockRestore());
    await vi.advanceTimersByTimeAsync(SECOND);
    expect(readiness.obstacle).toBeUndefined();
    await vi.advanceTimersByTimeAsync(SECOND);
    expect(readiness.obstacle).toBe('the database does not respond');
  });
});
