import { describe, expect, it } from 'vitest';
import type { PetRow } from '../../src/import/row.ts';
import { type RowOutcome, sendRows } from '../../src/import/send-rows.ts';

/** A service whose responses the test gives. */
function startSending(count: number, signal = new AbortController().signal) {
  const waiting = new Map<number, (outcome: RowOutcome) => void>();
  const sent: number[] = [];
  const rows = upTo(count).map(
    (number): PetRow => ({
      ...{ number, line: number + 1 },
      pet: { name: 'Rex', categoryId: BigInt(number) },
    }),
  );
  const results: string[] = [];
  const done = (async () => {
    await sendRows({
      ...{ rows, count, signal },
      async sendRow({ number }) {
        sent.push(number);
        const { kind } = await new Promise<RowOutcome>((resolve) => waiting.set(number, resolve));
        results.push(`${number} ${kind}`);
        return kind;
      },
    });
  })();
  const respond = async (number: number, outcome: RowOutcome = added) => {
    waiting.get(number)?.(outcome);
    waiting.delete(number);
    await settle();
  };
  return { sent, results, done, respond };
}

const added: RowOutcome = {
  kind: 'added',
  pet: { id: 1n, name: 'Rex', categoryId: 7n },
  isReplayed: false,
  keyUntil: undefined,
};
const refused: RowOutcome = { kind: 'refused', code: 'a_code', reason: 'is bad', isIn: false };
const stopped: RowOutcome = { kind: 'stopped', error: new Error('stop') };

/** Until everything that can happen without a response has happened. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

const upTo = (count: number, from = 1) =>
  Array.from({ length: count - from + 1 }, (_, index) => index + from);

describe('up to 100 rows', () => {
  it('are sent one after another', async () => {
    const desk = startSending(100);
    await settle();
    expect(desk.sent).toEqual([1]);
    await desk.respond(1);
    expect(desk.sent).toEqual([1, 2]);
  });
});

describe('more than 100 rows', () => {
  it('are sent one after another until one of them is added', async () => {
    const desk = startSending(101);
    await settle();
    expect(desk.sent).toEqual([1]);
    await desk.respond(1, refused);
    expect(desk.sent).toEqual([1, 2]);
    await desk.respond(2);
    expect(desk.sent).toEqual(upTo(18));
  });

  it('stop after one that stops them; those in flight have their results', async () => {
    const desk = startSending(101);
    await settle();
    await desk.respond(1);
    await desk.respond(9, stopped);
    for (const number of upTo(17, 2)) await desk.respond(number);
    await desk.done;
    expect(desk.sent).toEqual(upTo(17));
    const results = upTo(17).map((number) => `${number} ${number === 9 ? 'stopped' : 'added'}`);
    expect(desk.results.toSorted()).toEqual(results.toSorted());
  });

  it('stop when the signal is aborted; those in flight have their results', async () => {
    const controller = new AbortController();
    const desk = startSending(101, controller.signal);
    await settle();
    await desk.respond(1);
    controller.abort();
    for (const number of upTo(17, 2)) await desk.respond(number);
    await desk.done;
    expect(desk.results).toHaveLength(17);
  });
});
