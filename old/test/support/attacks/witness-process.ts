/**
 * The well-behaved client, in a process of its own so that an attack cannot slow down its clock: a read or an add every
 * 20 ms, in turn on a new and on a kept-alive connection; `/healthz` of the service's port likewise; that of the metrics
 * port on a new connection each, as monitoring does. What fails on a kept-alive connection before its response it sends once
 * more (RFC 9112, 9.3.1), also an add, which has an idempotency key, and reports apart. Beside them it asks a server that
 * does nothing, which shows what the machine alone does to the figures. Prints its report when its input ends.
 */
import { randomUUID } from 'node:crypto';
import { Agent, createServer, request as send } from 'node:http';
import { createInterface } from 'node:readline';
import { portOf } from '../http-server.ts';
import { isSuccess, RESENT } from './attack.ts';
import type { Health, WitnessReport } from './witness.ts';

const PACE_MS = 20;
/** Of each time a request is sent. */
const TIMEOUT_MS = 5_000;
/** One request in so many adds. */
const ADD_EVERY = 10;

interface Sample {
  readonly sentAt: number;
  readonly milliseconds: number;
  /** A status, with `RESENT` before it where the request was sent twice, or the code of the failure. */
  readonly result: string;
}

interface Question {
  readonly port: number;
  readonly path: string;
  readonly add?: { readonly body: string; readonly idempotencyKey: string };
}

const [portText, metricsPortText, key = ''] = (process.env.PETSTORE_WITNESS ?? '').split(' ');
const [port, metricsPort] = [Number(portText), Number(metricsPortText)];
const health: Sample[] = [];
const metricsPortHealth: Sample[] = [];
const client: Sample[] = [];
const idle: Sample[] = [];
const keepAlive = new Agent({ keepAlive: true });
const pending = new Set<Promise<unknown>>();
let isAdding = true;

/** Without an agent the connection is a new one. */
function ask(samples: Sample[], question: Question, agent?: Agent): void {
  const sentAt = performance.now();
  const asked = sendOne(question, agent).then((result) => {
    samples.push({ sentAt, milliseconds: performance.now() - sentAt, result });
    pending.delete(asked);
  });
  pending.add(asked);
}

/**
 * What a request fails with when its connection was closed before the response, as the service may close an idle one at
 * any time.
 */
const closedCodes = new Set(['ECONNRESET', 'EPIPE']);

async function sendOne(question: Question, agent?: Agent): Promise<string> {
  const { port, path, add } = question;
  return await new Promise((resolve) => {
    const request = send({
      ...{ host: '127.0.0.1', port, path, agent: agent ?? false },
      method: add === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        ...(add && {
          'content-type': 'application/json',
          'idempotency-key': add.idempotencyKey,
        }),
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const fail = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name);
    const sendAgain = () => resolve(sendOne(question).then((result) => RESENT + result));
    const failUnanswered = (error: NodeJS.ErrnoException) => {
      if (request.reusedSocket && closedCodes.has(error.code ?? '')) sendAgain();
      else fail(error);
    };
    request.once('error', failUnanswered).once('response', (response) => {
      request.off('error', failUnanswered).once('error', fail);
      response.resume().once('error', fail);
      // The pet was added by the first request: the connection was not idle when it was closed.
      const isReplay = response.headers['idempotency-replayed'] === 'true';
      response.once('end', () => resolve(`${isReplay ? 'replayed ' : ''}${response.statusCode}`));
    });
    request.end(add?.body);
  });
}

function chooseRequest(index: number): Question {
  if (isAdding && index % ADD_EVERY === 0) {
    const body = `{"name":"Witness ${index}","categoryId":1}`;
    return { port, path: '/v1/pets', add: { body, idempotencyKey: randomUUID() } };
  }
  return { port, path: index % 3 === 0 ? '/v1/pets/1' : `/v1/pets?limit=${1 + (index % 100)}` };
}

function count(samples: readonly Sample[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { result } of samples) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
}

function quantile(samples: readonly Sample[], part: number): number {
  const sorted = samples.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

function reportHealth(samples: readonly Sample[]): Health {
  return { longest: quantile(samples, 1), results: count(samples) };
}

/** The longest time in which the client got nothing it asked for. */
function longestOutage(samples: readonly Sample[], start: number, end: number): number {
  const served = samples
    .filter(({ result }) => isSuccess(result))
    .map(({ sentAt, milliseconds }) => sentAt + milliseconds)
    .sort((a, b) => a - b);
  const instants = [start, ...served, end];
  return Math.max(...instants.slice(1).map((at, index) => at - (instants[index] ?? at)));
}

const bystander = createServer((_request, response) => response.end('{}'));
await new Promise<void>((resolve) => bystander.listen(0, '127.0.0.1', resolve));
const idlePort = portOf(bystander);

const start = performance.now();
let turn = 0;
const timer = setInterval(() => {
  turn += 1;
  const agent = turn % 2 === 0 ? keepAlive : undefined;
  ask(client, chooseRequest(turn), agent);
  ask(health, { port, path: '/healthz' }, agent);
  ask(metricsPortHealth, { port: metricsPort, path: '/healthz' });
  ask(idle, { port: idlePort, path: '/' });
  if (turn === 10) process.stdout.write('started\n');
}, PACE_MS);

const lines = createInterface({ input: process.stdin });
lines.on('line', () => {
  isAdding = false;
});
lines.once('close', async () => {
  clearInterval(timer);
  const end = performance.now();
  await Promise.all(pending);
  const report: WitnessReport = {
    health: reportHealth(health),
    metricsPortHealth: reportHealth(metricsPortHealth),
    client: {
      p99: quantile(client, 0.99),
      results: count(client),
      outage: longestOutage(client, start, end),
    },
    idle: { longest: quantile(idle, 1) },
  };
  process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit());
});
