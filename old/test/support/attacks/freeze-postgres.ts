import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { PostgresCluster } from '../postgres-cluster.ts';

export interface FrozenPostgres {
  thaw(): Promise<void>;
}

/** Stops the server and all its backends until thawed, or until this process has died. */
export async function freezePostgres({ folder }: PostgresCluster): Promise<FrozenPostgres> {
  const [postmaster = ''] = (
    await readFile(path.join(folder, 'data/postmaster.pid'), 'utf8')
  ).split('\n');
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
  const pids = [postmaster, ...children.trim().split(' ')];
  const script = 'kill -STOP "$@"; echo stopped; cat >/dev/null; kill -CONT "$@"';
  const holder = spawn('/bin/sh', ['-c', script, 'freeze', ...pids], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  await once(holder.stdout, 'data');
  return {
    async thaw() {
      if (holder.exitCode !== null) return;
      const ended = once(holder, 'exit');
      holder.stdin.end();
      await ended;
    },
  };
}
