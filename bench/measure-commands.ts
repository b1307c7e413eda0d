import { spawnSync } from 'node:child_process';
import * as v from 'valibot';
import { cleanEnvironment } from './environment.ts';
import { buildMeasure } from './native.ts';

export interface Command {
  readonly name: string;
  readonly words: readonly string[];
  readonly variables?: Record<string, string>;
  readonly input?: string;
}

/** Milliseconds, and KiB at the peak. */
export interface Taken {
  readonly wall: number;
  readonly cpu: number;
  readonly peak: number;
}

const Line = v.object({ wall: v.number(), cpu: v.number(), peak: v.number() });

/** Runs the commands in turn, as often as asked. By name, in order. */
export function measureCommands(
  commands: readonly Command[],
  rounds: number,
): Map<string, readonly Taken[]> {
  const measure = buildMeasure();
  const taken = new Map<string, Taken[]>(commands.map(({ name }) => [name, []]));
  for (let round = -1; round < rounds; round += 1) {
    for (const command of commands) {
      const one = measureOnce(measure, command);
      // The first round only warms the caches.
      if (round >= 0) taken.get(command.name)?.push(one);
    }
  }
  return taken;
}

/** Runs one command, its output in pipes, and returns what it took. @throws when it fails */
export function measureOnce(measure: string, command: Command): Taken {
  const result = spawnSync(measure, command.words, {
    env: cleanEnvironment(command.variables),
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    input: command.input ?? '',
    encoding: 'utf8',
  });
  if (result.status !== 0) {
    throw new Error(`${command.name} ended with ${result.status}: ${result.stderr}`);
  }
  const { wall, cpu, peak } = v.parse(Line, JSON.parse(result.output[3] ?? ''));
  return { wall: wall / 1000, cpu: cpu / 1000, peak };
}
