import { type Attack, type AttackOutcome, isSuccess, RESENT } from './attack.ts';
import { call } from './call.ts';
import { KILLED_AT_MB, watchMemory } from './memory.ts';
import { openTarget, type TargetOptions } from './open-target.ts';
import { type Health, startWitness, type Witness, type WitnessReport } from './witness.ts';

/** What no attack may cost. */
const MEMORY_MB = 200;
const HEALTH_MS = 100;
/** Looser in the suite, whose other tests take the processors at the same time. */
const HEALTH_IN_SUITE_MS = 2_000;

const METRICS_PORT = '/healthz of the metrics port';
const SERVICE_PORT = '/healthz of the service’s port';

export interface AttackOptions extends TargetOptions {
  /** Called when the service and its well-behaved client have started, before the attack. */
  readonly onStarted?: () => void;
}

export interface AttackResult {
  readonly attack: Attack;
  /** Peak resident memory of the service, in MB. */
  readonly memory: number;
  /** None when the service ends in the attack. */
  readonly witness: WitnessReport | undefined;
  readonly seen: string;
  readonly broken: readonly string[];
}

/** Runs one attack against a service of its own and holds what came of it to the bounds. */
export async function runAttack(attack: Attack, options: AttackOptions): Promise<AttackResult> {
  let witness: Witness | undefined;
  const { target, close } = await openTarget(attack.database, options, () => witness?.stopAdding());
  try {
    witness = attack.endsService ? undefined : await startWitness(target);
    const memory = watchMemory(target.pid);
    options.onStarted?.();
    const outcome = await attack.run(target).catch(toOutcome);
    const after = attack.endsService ? 200 : (await call(target, '/healthz')).status;
    const report = await witness?.finish();
    const result = { attack, memory: memory.stop(), witness: report, seen: outcome.seen };
    const bound = options.isShort ? HEALTH_IN_SUITE_MS : HEALTH_MS;
    const maxResent = options.isShort ? 0 : (attack.maxResent ?? 0);
    const broken = [...outcome.broken, ...listBroken(result, bound, maxResent)];
    if (after !== 200) broken.push(`/healthz ${after} afterwards`);
    return { ...result, broken };
  } finally {
    await close();
  }
}

function toOutcome(error: unknown): AttackOutcome {
  return { seen: '', broken: [`the attack itself failed: ${error}`] };
}

type Observed = Pick<AttackResult, 'attack' | 'memory' | 'witness'>;

export function listBroken(
  { attack, memory, witness }: Observed,
  bound: number,
  maxResent: number,
): string[] {
  const killed = memory > KILLED_AT_MB ? ' (killed by this script)' : '';
  const broken = memory > MEMORY_MB ? [`${Math.round(memory)} MB${killed}`] : [];
  if (witness === undefined) return broken;
  const { health, metricsPortHealth, client } = witness;
  for (const [name, own, ownBound] of [
    [METRICS_PORT, metricsPortHealth, bound],
    [SERVICE_PORT, health, Math.max(bound, attack.healthBound ?? 0)],
  ] as const) {
    if (isSlow(own, witness, ownBound)) broken.push(`${name} took ${Math.round(own.longest)} ms`);
    const failed = listFailures(own.results, []);
    if (failed !== '') broken.push(`${name}: ${failed}`);
  }
  const failed = listFailures(client.results, attack.clientMaySee ?? []);
  if (failed !== '') broken.push(`client: ${failed}`);
  const resent = countResent(witness);
  if (resent > maxResent) broken.push(`${resent} × resent`);
  return broken;
}

/** How many requests had success only when they were sent a second time. */
export function countResent({ health, client }: Pick<WitnessReport, 'health' | 'client'>): number {
  return [health, client]
    .flatMap(({ results }) => Object.entries(results))
    .filter(([result]) => result.startsWith(RESENT) && isSuccess(result))
    .reduce((sum, [, count]) => sum + count, 0);
}

/** What the machine did to a server that does nothing is not the service's fault. */
function isSlow({ longest }: Health, { idle }: WitnessReport, bound: number): boolean {
  return longest - idle.longest > bound;
}

/** The results that are neither success nor expected: `3 × ECONNRESET`. */
export function listFailures(
  results: Readonly<Record<string, number>>,
  expected: readonly string[],
): string {
  return Object.entries(results)
    .filter(([result]) => !isSuccess(result) && !expected.includes(result))
    .map(([result, count]) => `${count} × ${result}`)
    .join(', ');
}
