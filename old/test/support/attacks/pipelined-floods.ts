import { setTimeout as pause } from 'node:timers/promises';
import { type Attack, type AttackOutcome, countOf, durationOf, type Target } from './attack.ts';
import { closeSockets, formatRequest, openSockets } from './sockets.ts';

const asset = '/docs/swagger-ui-bundle.js';
const hotPage = '/v1/pets?limit=100';

/** Paths with what each costs the service; only those of /v1 need the key. */
const paths: readonly (readonly [path: string, inSuite: boolean])[] = [
  [asset, true],
  ['/docs/swagger-ui.css', false],
  ['/docs', false],
  ['/openapi.json', false],
  [hotPage, false],
  ['/v1/pets?limit=7&status=sold', false],
  ['/v1/pets/1', false],
  ['/v1/pets/999999', false],
  ['/healthz', false],
  ['/readyz', false],
  ['/nowhere', false],
];

/** Requests sent all at once on sockets whose responses nobody reads. */
export const pipelinedFloods: readonly Attack[] = [
  ...paths.map(([path, inSuite]) => ({
    name: `5,000 pipelined GET ${path}, none read`,
    database: 'sqlite' as const,
    inSuite,
    run: (target: Target) => flood(target, { path, sockets: 1, requests: 5_000 }),
  })),
  {
    name: '5,000 pipelined adds, none read',
    database: 'sqlite',
    inSuite: false,
    clientMaySee: ['503'],
    run: (target) => flood(target, { path: '/v1/pets', sockets: 1, requests: 5_000, adds: true }),
  },
  {
    name: `400 unread responses of ${asset} on one socket`,
    database: 'sqlite',
    inSuite: false,
    run: (target) => flood(target, { path: asset, sockets: 1, requests: 400 }),
  },
  {
    name: `40 sockets with 250 unread responses of ${asset} each`,
    database: 'sqlite',
    inSuite: false,
    clientMaySee: ['503'],
    run: (target) => flood(target, { path: asset, sockets: countOf(target, 40), requests: 250 }),
  },
  {
    name: `40 sockets with 250 unread responses of ${hotPage} each`,
    database: 'sqlite',
    inSuite: false,
    clientMaySee: ['503'],
    run: (target) => flood(target, { path: hotPage, sockets: countOf(target, 40), requests: 250 }),
  },
];

interface Flood {
  readonly path: string;
  readonly sockets: number;
  readonly requests: number;
  readonly adds?: boolean;
}

async function flood(target: Target, { path, sockets: count, requests, adds }: Flood) {
  const key = path.startsWith('/v1') ? target.key : undefined;
  const add = { method: 'POST', body: '{"name":"Flood","categoryId":1}' };
  const request = formatRequest({ path, key, ...(adds ? add : {}) });
  const sockets = await openSockets(target, count);
  for (const socket of sockets) socket.write(request.repeat(requests));
  await pause(durationOf(target, 3_000));
  closeSockets(sockets);
  const outcome: AttackOutcome = { seen: '', broken: [] };
  return outcome;
}
