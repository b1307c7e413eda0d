import { spawn } from 'node:child_process';
import { on } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import type { Target } from './attack.ts';

const Results = v.record(v.string(), v.number());

const Health = v.object({ longest: v.number(), results: Results });
export type Health = v.InferOutput<typeof Health>;

/** What the service did for others while it was attacked. Times in milliseconds, results by status or error code. */
export const WitnessReport = v.object({
  /** `/healthz` of the service's port. */
  health: Health,
  metricsPortHealth: Health,
  client: v.object({ p99: v.number(), results: Results, outage: v.number() }),
  /** The longest that a server which does nothing took. */
  idle: v.object({ longest: v.number() }),
});
export type WitnessReport = v.InferOutput<typeof WitnessReport>;

export interface Witness {
  stopAdding(): void;
  finish(): Promise<WitnessReport>;
}

/** Starts the well-behaved client and resolves when it is at work. */
export async function startWitness({
  port,
  metricsPort,
  key,
}: Pick<Target, 'port' | 'metricsPort' | 'key'>): Promise<Witness> {
  const file = path.join(import.meta.dirname, 'witness-process.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', file], {
    env: { PATH: process.env.PATH, PETSTORE_WITNESS: `${port} ${metricsPort} ${key}` },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = on(createInterface({ input: child.stdout }), 'line', { close: ['close'] });
  await lines.next();
  return {
    stopAdding: () => {
      child.stdin.write('stop adding\n');
    },
    async finish() {
      child.stdin.end();
      const { value } = await lines.next();
      const [text] = v.parse(v.tuple([v.string()]), value);
      return v.parse(WitnessReport, JSON.parse(text));
    },
  };
}
