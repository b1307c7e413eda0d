import type { SmallDisk } from '../small-disk.ts';
import type { FrozenPostgres } from './freeze-postgres.ts';

/** The service under attack, a process of its own with a database of its own. */
export interface Target {
  /** The origin, without /v1. */
  readonly url: string;
  readonly port: number;
  /** Where the service listens for monitoring. */
  readonly metricsPort: number;
  readonly key: string;
  readonly pid: number;
  /** Whether the attack must be over in a second or two, as in the suite. */
  readonly isShort: boolean;
  /** The folder of a SQLite database. */
  readonly folder: string;
  /** Lines the service wrote to its log so far. */
  countLogLines(): number;
  makeRevokedKey(): string;
  /** Stops every process of the PostgreSQL server as `kill -STOP` does. */
  freezeDatabase(): Promise<FrozenPostgres>;
  readonly disk: SmallDisk | undefined;
  /** Lets the well-behaved client only read from now on. */
  stopAdding(): void;
  /** Sends SIGTERM and waits for the end. */
  terminate(): Promise<number | NodeJS.Signals | null>;
}

export interface AttackOutcome {
  /** What was seen, in a few words. */
  readonly seen: string;
  /** Promises that were not kept. */
  readonly broken: readonly string[];
}

/** Prefix of the result of a request that the well-behaved client sent twice. */
export const RESENT = 'resent: ';

/** Whether the well-behaved client got what it asked for, be it the second time. */
export function isSuccess(result: string): boolean {
  return (result.startsWith(RESENT) ? result.slice(RESENT.length) : result).startsWith('2');
}

export interface Attack {
  readonly name: string;
  readonly database: 'sqlite' | 'postgres' | 'small disk';
  /** Whether today's service withstands it, so that the suite may hold it to that. */
  readonly inSuite: boolean;
  /** Statuses beside success that the well-behaved client may see meanwhile. */
  readonly clientMaySee?: readonly string[];
  /**
   * How many requests of the well-behaved client may find their idle connection closed to make room: the attack opens more
   * connections than the service allows, and those of the attack are too young to be closed first (`silentTime`). None may
   * in the suite, whose crowds are smaller.
   */
  readonly maxResent?: number;
  /**
   * How long `/healthz` of the service's port may take, in milliseconds, where the attack itself asks for it so often that
   * others cannot be told from it.
   */
  readonly healthBound?: number;
  /** Whether the service ends in the attack, so that nobody can ask it meanwhile. */
  readonly endsService?: boolean;
  run(target: Target): Promise<AttackOutcome>;
}

/** Every attack is bounded: how long one that only holds on lasts, in milliseconds. */
export function durationOf({ isShort }: Target, full: number): number {
  return isShort ? Math.min(full, 1_000) : full;
}

/** A smaller crowd for the suite. */
export function countOf({ isShort }: Target, full: number): number {
  return isShort ? Math.ceil(full / 10) : full;
}
