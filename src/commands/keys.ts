import type { Command } from 'commander';
import { type KeyAccess, keyAccesses } from '../contract/headers.ts';
import { confirmLoss } from '../program/confirm.ts';
import type { Context, RunAction } from '../program/context.ts';
import { alsoOptions, describeCommand } from '../program/help.ts';
import { createChoiceOption } from '../program/options.ts';
import { parseDuration } from '../program/values.ts';
import {
  createKey as createStoredKey,
  findKey,
  findKeyState,
  type KeyState,
} from '../service/api-keys.ts';
import type { ApiKeyRecord } from '../service/storage/store.ts';
import { type Color, createWriter, type RowLayout } from '../terminal/formats.ts';
import { formatRelativeTime } from '../terminal/relative-time.ts';
import {
  adviseKeysList,
  type DatabaseOptions,
  databaseOption,
  findDatabase,
  sharedStore,
  withStore,
} from './shared/database.ts';
import { printKey, requireStdout } from './shared/print-key.ts';
import { timeColumn } from './shared/time-column.ts';

export function declare(command: Command, run: RunAction): void {
  describeCommand(command, {
    sentence: 'Create, list and revoke the API keys of the service.',
    examples: [
      'petstore keys create --name till-3',
      'petstore keys list',
      'petstore keys revoke till-3',
    ],
    also: alsoOptions.local,
  });
  declareCreate(command.command('create'), run);
  declareList(command.command('list'), run);
  declareRevoke(command.command('revoke'), run);
}

function declareCreate(command: Command, run: RunAction): void {
  describeCommand(command.summary('create a key and print it once'), {
    sentence: 'Create an API key and print it, once: only its hash is stored.',
    examples: [
      'petstore keys create --name till-3',
      'petstore keys create --name reports --access read --expires 90d',
      'petstore keys create --name ci | petstore login --key-stdin -e staging',
    ],
    also: alsoOptions.local,
  })
    .requiredOption('--name <label>', 'who or what will use it')
    .addOption(
      createChoiceOption(
        ['--access <access>', 'what it may do'],
        ['a kind of access', keyAccesses],
      ).default('write'),
    )
    .option('--expires <duration>', 'how long it is valid, such as 90d', (text) =>
      parseDuration(text, 'a duration'),
    )
    .addOption(databaseOption())
    .action(run(createKey));
}

function declareList(command: Command, run: RunAction): void {
  describeCommand(command.summary('list every key that was created'), {
    sentence: 'List every API key that was created, never its text.',
    examples: [
      'petstore keys list',
      'petstore keys list --json',
      'petstore keys list --database sqlite:/var/lib/petstore/petstore.db',
    ],
    also: alsoOptions.local,
  })
    .addOption(databaseOption())
    .action(run(listKeys));
}

function declareRevoke(command: Command, run: RunAction): void {
  describeCommand(command.summary('end a key'), {
    sentence: 'Revoke an API key: every running service refuses it within a second.',
    examples: [
      'petstore keys revoke till-3     by its name',
      'petstore keys revoke 3          by its number',
      'petstore keys revoke till-3 --database postgres://petstore@db/petstore',
    ],
    also: alsoOptions.local,
  })
    .argument('<name|id>', 'the name or the number of the key')
    .addOption(databaseOption())
    .action(run(revokeKey));
}

interface CreateOptions extends DatabaseOptions {
  readonly name: string;
  readonly access: KeyAccess;
  /** Milliseconds. */
  readonly expires?: number;
}

interface PrintedKey {
  readonly key: string;
  readonly name: string;
  readonly access: KeyAccess;
  readonly createdAt: Date;
  readonly expiresAt: Date | undefined;
}

const rowLayout: RowLayout<PrintedKey> = {
  columns: [
    { name: 'key', value: ({ key }) => key },
    { name: 'name', value: ({ name }) => name },
    { name: 'access', value: ({ access }) => access },
    { name: 'createdAt', value: ({ createdAt }) => createdAt.toISOString() },
    { name: 'expiresAt', value: ({ expiresAt }) => expiresAt?.toISOString() ?? null },
  ],
};

export async function createKey(context: Context, options: CreateOptions): Promise<void> {
  const { terminal } = context;
  const print = createPrinter(context);
  const database = findDatabase(context, options);
  const { name, access, expires } = options;
  const createdAt = new Date();
  const expiresAt = expires === undefined ? undefined : new Date(createdAt.getTime() + expires);
  const details = { name, access, createdAt, expiresAt };
  await withStore(database, { isExclusive: false }, async (store) => {
    const { id } = await createStoredKey(store, details, (key) => print({ key, ...details }));
    if (store.isNew) terminal.notice(`Created the database ${database.shown}.`);
    terminal.notice(`Created key ${id} (${name}). It is not shown again.`);
  });
}

/** Nothing but the key is on stdout, so that it can be piped to where it is needed. @throws UserError `cli_output` */
function createPrinter({ terminal, options }: Context): (printed: PrintedKey) => Promise<void> {
  const writer = createWriter(terminal, rowLayout, options);
  requireStdout();
  return (printed) =>
    printKey(() =>
      terminal.format === 'table' ? terminal.write(`${printed.key}\n`) : writer.writeRow(printed),
    );
}

const stateColors: Readonly<Record<KeyState, Color>> = {
  active: 'green',
  expired: 'yellow',
  revoked: 'dim',
};

export async function listKeys(context: Context, options: DatabaseOptions): Promise<void> {
  const writer = createWriter(context.terminal, describeRows(new Date()), context.options);
  const database = findDatabase(context, options);
  const keys = await withStore(database, sharedStore, async (store) => await store.listKeys());
  await writer.writeRows([keys]);
}

function describeRows(now: Date): RowLayout<ApiKeyRecord> {
  return {
    columns: [
      { name: 'id', value: ({ id }) => id, align: 'right' },
      { name: 'name', value: ({ name }) => name, isShortened: true },
      { name: 'access', value: ({ access }) => access },
      {
        name: 'state',
        value: (key) => findKeyState(key, now),
        color: (key) => stateColors[findKeyState(key, now)],
      },
      timeColumn({ name: 'createdAt', title: 'CREATED' }, (key) => key.createdAt, now),
      timeColumn({ name: 'lastUsedAt', title: 'LAST USED' }, (key) => key.lastUsedAt, now),
      timeColumn({ name: 'expiresAt', title: 'EXPIRES' }, (key) => key.expiresAt, now),
      timeColumn({ name: 'revokedAt', isHidden: true }, (key) => key.revokedAt, now),
    ],
    whenEmpty: 'No keys yet: petstore keys create --name <label>',
  };
}

export async function revokeKey(
  context: Context,
  nameOrNumber: string,
  options: DatabaseOptions,
): Promise<void> {
  const { terminal } = context;
  const now = new Date();
  await withStore(findDatabase(context, options), sharedStore, async (store) => {
    const { id, name, lastUsedAt, revokedAt } = await findKey(
      store,
      nameOrNumber,
      now,
      adviseKeysList(options),
    );
    const key = `${id} (${name})`;
    if (revokedAt !== undefined) {
      terminal.notice(`Key ${key} was revoked ${formatRelativeTime(revokedAt, now)}.`);
      return;
    }
    const use = lastUsedAt === undefined ? 'never used' : formatRelativeTime(lastUsedAt, now);
    await confirmLoss(
      context,
      `Revoke key ${key}, ${lastUsedAt === undefined ? use : `last used ${use}`}? It cannot be undone.`,
      `Stopped; key ${key} still works.`,
    );
    await store.revokeKey(id, now);
    terminal.notice(`Key ${key} is revoked.`);
  });
}
