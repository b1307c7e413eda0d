import { randomInt } from 'node:crypto';
import { petStatuses } from '../../src/contract/pet.ts';
import { call, post, sendRaw } from './http.ts';

interface Target {
  readonly url: string;
  readonly key: string;
}

/** How often each status came; 0 stands for a connection that was closed without a response. */
export type Tally = Map<number, number>;

/** Repeated requests are for the first pets, so that the response cache is soon full. */
const KNOWN_PETS = 200;

/** How long a service under load may take to refuse what is malformed. */
const REFUSAL_MS = 30_000;

const malformed = [
  'hello\r\n\r\n',
  'GET /v1/pets HTTP/1.1\r\nbroken\r\n\r\n',
  `GET / HTTP/1.1\r\nHost: a\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`,
  'POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
  'CONNECT example.com:443 HTTP/1.1\r\nHost: a\r\n\r\n',
];

/** Requests of every kind, by the weight of each. One in a hundred is malformed. */
const kinds: readonly (readonly [weight: number, ask: (target: Target) => Promise<number>])[] = [
  [30, async (target) => (await call(target, `/pets?limit=${randomInt(1, 21)}`)).status],
  [15, async (target) => (await call(target, `/pets?status=${pick(petStatuses)}`)).status],
  [20, async (target) => (await call(target, `/pets/${randomInt(1, KNOWN_PETS)}`)).status],
  [5, async (target) => (await call(target, '/pets', { method: 'HEAD' })).status],
  [10, async (target) => (await post(target, randomPet())).status],
  [
    5,
    async (target) =>
      (await post(target, randomPet(), { 'idempotency-key': `k${randomInt(1e9)}` })).status,
  ],
  [
    3,
    async (target) =>
      (await post(target, '{"name":"same","categoryId":1}', { 'idempotency-key': 'same' })).status,
  ],
  [4, async (target) => (await post(target, `{"name":${randomInt(9)}}`)).status],
  [2, async (target) => (await call(target, `/pets?limit=${randomInt(101, 999)}`)).status],
  [2, async (target) => (await call(target, '/nothing')).status],
  [2, async (target) => (await call(target, '/pets/1', { method: 'DELETE' })).status],
  [1, async (target) => (await call({ ...target, key: `pst_${randomInt(1e9)}` }, '/pets')).status],
  [1, async (target) => await sendMalformed(target)],
];

/** Sends so many requests, 32 at a time, and counts the responses. */
export async function sendRequestMix(target: Target, count: number): Promise<Tally> {
  const tally: Tally = new Map();
  let left = count;
  async function work(): Promise<void> {
    while (left > 0) {
      left -= 1;
      const status = await pickKind()(target);
      tally.set(status, (tally.get(status) ?? 0) + 1);
    }
  }
  await Promise.all(Array.from({ length: 32 }, work));
  return tally;
}

function pickKind(): (target: Target) => Promise<number> {
  let ticket = randomInt(kinds.reduce((sum, [weight]) => sum + weight, 0));
  const kind = kinds.find(([weight]) => {
    ticket -= weight;
    return ticket < 0;
  });
  if (kind === undefined) throw new Error('the weights do not add up');
  return kind[1];
}

async function sendMalformed({ url }: Target): Promise<number> {
  const raw = await sendRaw(url, pick(malformed), REFUSAL_MS).catch(() => '');
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(raw)?.[1] ?? 0);
}

function randomPet(): string {
  return JSON.stringify({ name: `Pet ${randomInt(1e9)}`, categoryId: randomInt(1e9) });
}

function pick<T>(choices: readonly T[]): T {
  const choice = choices[randomInt(choices.length)];
  if (choice === undefined) throw new Error('nothing to pick from');
  return choice;
}
