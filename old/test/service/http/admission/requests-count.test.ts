import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createRefusals } from '../../../../src/service/http/admission/refusals.ts';
import { createRequestAdmission } from '../../../../src/service/http/admission/requests.ts';
import { jsonResponse, type ServiceResponse } from '../../../../src/service/http/response.ts';
import { createLog } from '../../../../src/service/monitoring/log.ts';
import { unmatchedRoute } from '../../../../src/service/routes/routes.ts';

const done = jsonResponse(201, '{}');

function open() {
  const refusals = createRefusals(createLog(() => {}, 'silent'));
  const limits = {
    ...{ requestsInFlight: 3, reservedForHealth: 1 },
    ...{ addsInFlight: 3, addsInFlightOfOneKey: 2, readsInFlight: 2 },
  };
  const admission = createRequestAdmission(limits, refusals);
  return {
    ...admission,
    countRefused: (limit: string) =>
      Number(
        refusals
          .write()
          .find((line) => line.startsWith(`petstore_refused_requests_total{limit="${limit}"}`))
          ?.split(' ')[1],
      ),
    /** An add that waits until it is ended. */
    add(key?: bigint) {
      let end = (_response: ServiceResponse) => {};
      let fail = (_error: Error) => {};
      const result = admission.holdAdd(
        key,
        () =>
          new Promise((resolve, reject) => {
            end = resolve;
            fail = reject;
          }),
      );
      return { result, end: () => end(done), fail: () => fail(new Error('it failed')) };
    },
  };
}

/** The message of a refusal; undefined of what was not refused. */
function messageOf(result: ServiceResponse | Promise<ServiceResponse> | undefined) {
  if (result === undefined || result instanceof Promise) return undefined;
  expect(result.fields.slice(0, 2)).toEqual(['Retry-After', '1']);
  const { code, message } = JSON.parse(String(result.body));
  expect([result.status, code]).toEqual([503, 'unavailable']);
  return message;
}

describe('requests in flight', () => {
  const route = unmatchedRoute('/', () => done);
  const health = { ...route, operation: 'health' };

  it('are bounded, with room that only health takes, until they leave', () => {
    const { refuse, enter, leave, waiting, countRefused } = open();
    const refused = [];
    for (let count = 0; count < 3; count += 1) {
      refused.push([messageOf(refuse(route)), messageOf(refuse(health))]);
      enter();
    }
    const message = 'too many requests are in flight: try again';
    expect(refused).toEqual([
      [undefined, undefined],
      [undefined, undefined],
      [message, undefined],
    ]);
    expect(messageOf(refuse(health))).toBe(message);
    expect([waiting.requests, countRefused('requests')]).toEqual([3, 2]);
    leave();
    expect([messageOf(refuse(health)), waiting.requests]).toEqual([undefined, 2]);
  });
});

describe('reads in flight', () => {
  it('are bounded until they have ended, well or not', async () => {
    const { refuseRead, holdRead, waiting, countRefused } = open();
    holdRead(Promise.resolve());
    expect(messageOf(refuseRead())).toBeUndefined();
    holdRead(Promise.reject(new Error('it failed')));
    expect(messageOf(refuseRead())).toBe('too many reads are waiting for the database: try again');
    expect([waiting.reads, countRefused('reads')]).toEqual([2, 1]);
    await nextTurn();
    expect([messageOf(refuseRead()), waiting.reads]).toEqual([undefined, 0]);
  });
});

describe('adds in flight', () => {
  it('are bounded in all until they have ended, well or not', async () => {
    const { add, waiting, countRefused } = open();
    const [first, second] = [add(1n), add(2n)];
    add(3n);
    expect(messageOf(add(4n).result)).toBe('too many adds are waiting: try again');
    expect([waiting.adds, countRefused('adds')]).toEqual([3, 1]);
    first.end();
    second.fail();
    expect(await first.result).toBe(done);
    await expect(second.result).rejects.toThrow('it failed');
    expect(waiting.adds).toBe(1);
    expect(messageOf(add(4n).result)).toBeUndefined();
  });

  it('are bounded by their key', async () => {
    const { add, countRefused } = open();
    const first = add(1n);
    expect(messageOf(add(1n).result)).toBeUndefined();
    const message = 'too many adds with this API key are waiting: try again';
    expect(messageOf(add(1n).result)).toBe(message);
    first.end();
    await first.result;
    await nextTurn();
    expect(messageOf(add(1n).result)).toBeUndefined();
    expect(messageOf(add(1n).result)).toBe(message);
    expect(countRefused('adds_of_key')).toBe(2);
    expect(messageOf(add(2n).result)).toBeUndefined();
  });
});
