import { expect, it } from 'vitest';
import type { Attack } from './attack.ts';
import { listBroken } from './run-attack.ts';
import type { WitnessReport } from './witness.ts';

const attack: Attack = {
  name: 'nothing',
  database: 'sqlite',
  inSuite: false,
  run: async () => ({ seen: '', broken: [] }),
};

type Results = Record<string, number>;

function judge(client: Results, health: Results, rules: Partial<Attack>): string[] {
  const witness: WitnessReport = {
    health: { longest: 1, results: health },
    metricsPortHealth: { longest: 1, results: { 200: 9 } },
    client: { p99: 1, results: client, outage: 1 },
    idle: { longest: 1 },
  };
  const observed = { attack: { ...attack, ...rules }, memory: 1, witness };
  return listBroken(observed, 100, rules.maxResent ?? 0);
}

it.each([
  ['success', { 200: 9, 201: 9 }, { 200: 9 }, {}, []],
  ['a failure', { ECONNRESET: 1 }, {}, {}, ['client: 1 × ECONNRESET']],
  ['a status that is expected', { 503: 1 }, {}, { clientMaySee: ['503'] }, []],
  ['a failed health check', {}, { 503: 1 }, {}, ['/healthz of the service’s port: 1 × 503']],
  ['a request sent twice', { 'resent: 200': 1 }, {}, {}, ['1 × resent']],
  [
    'as many as the attack may cause',
    { 'resent: 201': 1 },
    { 'resent: 200': 1 },
    { maxResent: 2 },
    [],
  ],
  ['more', { 'resent: 200': 2 }, { 'resent: 200': 1 }, { maxResent: 2 }, ['3 × resent']],
  [
    'a request that failed twice',
    { 'resent: ECONNREFUSED': 1 },
    {},
    { maxResent: 2 },
    ['client: 1 × resent: ECONNREFUSED'],
  ],
  [
    'an add that was carried out before its connection was closed',
    { 'resent: replayed 201': 1 },
    {},
    { maxResent: 2 },
    ['client: 1 × resent: replayed 201'],
  ],
] satisfies [string, Results, Results, Partial<Attack>, string[]][])(
  '%s is judged by what the attack may cause',
  (_, client, health, rules, broken) => {
    expect(judge(client, health, rules)).toEqual(broken);
  },
);
