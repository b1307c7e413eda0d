import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { canOpenKeyring, openKeyring } from '../../test/support/keyring.ts';
import { copyDatabase, openDatabase } from '../databases.ts';
import type { Effort } from '../effort.ts';
import { measureCommands, type Taken } from '../measure-commands.ts';
import type { Row } from '../report.ts';
import { startPetstore } from '../servers.ts';
import { listCommands, logIn } from '../startup-commands.ts';
import { highestTenth, lowestTenth, median, pairedRatio } from '../statistics.ts';

/** What each command takes over what bare `node` takes on an empty file, and over gh and curl at the same service. */
export async function measure({ runs }: Effort): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-bench-'));
  const database = copyDatabase(await openDatabase(1_000), 'startup');
  const service = await startPetstore(database);
  const keyring = canOpenKeyring ? await openKeyring() : undefined;
  try {
    const desk = { folder, url: service.url, key: database.key, keyring };
    if (keyring !== undefined) logIn(desk);
    return describeRows(measureCommands(await listCommands(desk), runs));
  } finally {
    await keyring?.stop();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type All = ReadonlyMap<string, readonly Taken[]>;
type Figure = keyof Taken;

function describeRows(all: All): Row[] {
  const hasGh = all.has('gh api');
  return [
    ...compare(all, '--version', 'node', 1.1),
    ...compare(all, '--help', 'node', 1.2),
    ...compare(all, 'list --json', 'gh api', 1.1),
    ...compare(all, 'list --json', 'node', hasGh ? undefined : 2.5),
    ...compare(all, 'undici alone', 'gh api'),
    ...compare(all, 'list --json', 'undici alone'),
    ...compare(all, 'list --json', 'curl'),
    ...subtract(all, 'add --json', 'list --json', 10),
    ...subtract(all, 'add --json', 'add --json --no-history', 8),
    ...subtract(all, 'add --json, keychain', 'add --json --no-history, keychain', 8),
    ...subtract(all, 'add --json', 'add --json before', 8),
    ...describeKeychain(all),
    ...compare(all, 'list --json, keychain', 'node'),
    ...compare(all, 'list --json, keychain', 'gh api'),
    ...compare(all, 'standalone list --json', 'curl', 1.8),
    ...subtract(all, 'standalone list --json, keychain', 'standalone list --json', 12),
    ...subtract(all, 'standalone add --json', 'standalone add --json --no-history', 8),
    ...compare(all, 'gh api', 'node'),
    ...compare(all, 'curl', 'node'),
    ...compare(all, 'secret-tool lookup', 'node'),
    ...compare(all, 'keychain child alone', 'node'),
    ...describeQuiet(all),
  ];
}

function pick(all: All, name: string, figure: Figure): number[] | undefined {
  return all.get(name)?.map((taken) => taken[figure]);
}

/** How many times as long one command takes as another. */
function compare(all: All, name: string, other: string, goal?: number): Row[] {
  const [ours, theirs] = [pick(all, name, 'wall'), pick(all, other, 'wall')];
  if (ours === undefined || theirs === undefined) return [];
  const cpu = [pick(all, name, 'cpu') ?? [], pick(all, other, 'cpu') ?? []] as const;
  return [
    {
      what: name,
      figure: pairedRatio(ours, theirs),
      unit: `x ${other}`,
      ...(goal === undefined ? {} : { goal: { atMost: goal } }),
      measured: {
        ...describeTimes(name, ours, other, theirs),
        'by cpu time': pairedRatio(...cpu),
        'peak MB': median(pick(all, name, 'peak') ?? []) / 1024,
      },
    },
  ];
}

/** How much longer one command takes than another. */
function subtract(all: All, name: string, other: string, goal: number): Row[] {
  const [ours, theirs] = [pick(all, name, 'wall'), pick(all, other, 'wall')];
  if (ours === undefined || theirs === undefined) return [];
  const cpu = median(differences(pick(all, name, 'cpu') ?? [], pick(all, other, 'cpu') ?? []));
  return [
    {
      what: `${name}, beyond ${other}`,
      figure: median(differences(ours, theirs)),
      unit: 'ms',
      goal: { atMost: goal },
      measured: {
        ...describeTimes(name, ours, other, theirs),
        'by the lowest tenth ms': lowestTenth(ours) - lowestTenth(theirs),
        'cpu ms': cpu,
      },
    },
  ];
}

/** What reading the key from the keychain adds to a list, over bare `node`. */
function describeKeychain(all: All): Row[] {
  const names = ['list --json, keychain', 'list --json'] as const;
  const [ours, theirs] = names.map((name) => pick(all, name, 'wall'));
  const node = pick(all, 'node', 'wall');
  if (ours === undefined || theirs === undefined || node === undefined) return [];
  return [
    {
      what: 'reading the key from the keychain, added to a list',
      figure: pairedRatio(differences(ours, theirs), node),
      unit: 'x node',
      goal: { atMost: 0.7 },
      measured: describeTimes(names[0], ours, names[1], theirs),
    },
  ];
}

/** How evenly bare `node` ran: where it did not, the machine was busy with something else and no figure here can be trusted. */
function describeQuiet(all: All): Row[] {
  const node = pick(all, 'node', 'wall');
  if (node === undefined) return [];
  const [low, high] = [lowestTenth(node), highestTenth(node)];
  return [
    {
      what: 'node, highest tenth over lowest',
      figure: high / low,
      unit: 'x',
      goal: { atMost: 1.2 },
      measured: { 'lowest tenth ms': low, 'highest tenth ms': high },
    },
  ];
}

function differences(ours: readonly number[], theirs: readonly number[]): number[] {
  return ours.map((value, round) => value - (theirs[round] ?? Number.NaN));
}

function describeTimes(
  name: string,
  ours: readonly number[],
  other: string,
  theirs: readonly number[],
): Record<string, number> {
  return { [`${name} ms`]: median(ours), [`${other} ms`]: median(theirs) };
}
