import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeKey, makeRevokedKey } from '../make-key.ts';
import { openPostgresCluster } from '../postgres-cluster.ts';
import { mountSmallDiskAt } from '../small-disk.ts';
import type { Attack, Target } from './attack.ts';
import { type FrozenPostgres, freezePostgres } from './freeze-postgres.ts';
import { describeStatuses, sendPipelined } from './send-pipelined.ts';
import { formatRequest } from './sockets.ts';
import { startService } from './start-service.ts';
import { warmUp } from './warm-up.ts';

const PETS = 200;

export interface TargetOptions {
  readonly isShort: boolean;
  /** Whether the service is attacked as soon as it listens: by default in the suite. */
  readonly hasJustStarted?: boolean;
  /** Another build's bin/petstore.js. */
  readonly program?: string | undefined;
}

export interface OpenTarget {
  readonly target: Target;
  close(): Promise<void>;
}

/** Starts a service with a few pets on a new database. `onStopAdding` is told when an attack wants no more adds. */
export async function openTarget(
  kind: Attack['database'],
  { isShort, hasJustStarted = isShort, program }: TargetOptions,
  onStopAdding: () => void,
): Promise<OpenTarget> {
  const logFolder = await mkdtemp(path.join(tmpdir(), 'petstore-attack-log-'));
  const folder = await mkdtemp(path.join(tmpdir(), 'petstore-attack-'));
  const disk = kind === 'small disk' ? mountSmallDiskAt(folder, '4m') : undefined;
  const cluster = kind === 'postgres' ? await openPostgresCluster() : undefined;
  const database = cluster?.url ?? `sqlite:${path.join(folder, 'petstore.db')}`;
  const frozen: FrozenPostgres[] = [];
  const key = makeKey(database, program);
  const logFile = path.join(logFolder, 'log');
  const service = await startService({ database, program, logFile });
  const target: Target = {
    ...{ url: service.origin, port: Number(new URL(service.origin).port), pid: service.pid },
    metricsPort: service.metricsPort,
    ...{ key, isShort, folder, disk, countLogLines: service.countLogLines },
    makeRevokedKey: () => makeRevokedKey(database, program),
    stopAdding: onStopAdding,
    terminate: () => service.stop('SIGTERM'),
    async freezeDatabase() {
      if (cluster === undefined) throw new Error('no PostgreSQL here');
      const freeze = await freezePostgres(cluster);
      frozen.push(freeze);
      return freeze;
    },
  };
  await addPets(target);
  if (!hasJustStarted) await warmUp(target);
  return {
    target,
    async close() {
      await Promise.all(frozen.map((one) => one.thaw()));
      await service.stop('SIGKILL');
      await cluster?.close();
      disk?.unmount();
      for (const one of [folder, logFolder]) await rm(one, { recursive: true, force: true });
    },
  };
}

async function addPets(target: Target): Promise<void> {
  const body = '{"name":"Rex","categoryId":7}';
  const request = formatRequest({ method: 'POST', path: '/v1/pets', key: target.key, body });
  const statuses = await sendPipelined(target, {
    ...{ count: PETS, window: 100, timeout: 20_000 },
    request: () => request,
  });
  if (statuses.get(201) !== PETS) throw new Error(`no pets: ${describeStatuses(statuses)}`);
}
