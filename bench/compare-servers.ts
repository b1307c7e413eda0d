import { type Load, type LoadResult, runLoad } from './run-load.ts';
import type { Server } from './start-server.ts';
import { median } from './statistics.ts';

export interface Contender {
  readonly name: string;
  readonly server: Server;
  readonly load: Load;
  readonly key: string;
}

export interface Rounds {
  readonly rounds: number;
  readonly seconds: number;
}

/** Loads the contenders in turn, round after round, after one round that only warms them up. By name. */
export async function compareServers(
  contenders: readonly Contender[],
  { rounds, seconds }: Rounds,
): Promise<Map<string, LoadResult[]>> {
  const results = new Map<string, LoadResult[]>(contenders.map(({ name }) => [name, []]));
  for (let round = -1; round < rounds; round += 1) {
    for (const { name, server, load, key } of contenders) {
      const result = await runLoad(server, load, { seconds, key });
      if (round >= 0) results.get(name)?.push(result);
    }
  }
  return results;
}

/** The medians of a contender's rounds. */
export function summarize(results: readonly LoadResult[]): LoadResult {
  return {
    perSecond: median(results.map(({ perSecond }) => perSecond)),
    cpuPerRequest: median(results.map(({ cpuPerRequest }) => cpuPerRequest)),
    p50: median(results.map(({ p50 }) => p50)),
    p99: median(results.map(({ p99 }) => p99)),
  };
}
