import { constants, readFileSync, readlinkSync } from 'node:fs';
import type { KeyAccess } from '../../contract/headers.ts';
import { messageOf, UserError } from '../../errors.ts';
import type { Context } from '../../program/context.ts';
import { createKey as createStoredKey } from '../../service/keys/create-key.ts';
import { hasStore } from '../../service/storage/maintenance.ts';
import { createWriter, type Sheet } from '../../terminal/formats.ts';
import { type DatabaseOptions, findDatabase, withNewStore } from '../shared/database.ts';

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

const sheet: Sheet<PrintedKey> = {
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
  const writer = createWriter(terminal, sheet, context.options);
  if (isStdoutClosed()) throw refuseToPrint('stdout is closed');
  const database = findDatabase(context, options);
  const isNew = !(await hasStore(database));
  const { name, access, expires } = options;
  const createdAt = new Date();
  const expiresAt = expires === undefined ? undefined : new Date(createdAt.getTime() + expires);
  const details = { name, access, createdAt, expiresAt };
  // Nothing but the key is on stdout, so that it can be piped to where it is needed.
  const print = (key: string) =>
    terminal.format === 'table' ? terminal.write(`${key}\n`) : writer.writeRow({ key, ...details });
  const created = await withNewStore(database, (store) =>
    createStoredKey(store, details, (key) =>
      print(key).catch((error) => {
        throw refuseToPrint(messageOf(error));
      }),
    ),
  );
  if (isNew) terminal.notice(`Created the database ${database.shown}.`);
  terminal.notice(`Created key ${created.id} (${name}). It is not shown again.`);
}

function refuseToPrint(reason: string): UserError {
  return new UserError('cli_output', 'The key cannot be printed, so none was created.', {
    details: [reason],
  });
}

/** Node opens /dev/null, to read and write, in place of a stdout that is closed; `> /dev/null` only writes. */
function isStdoutClosed(): boolean {
  try {
    const [, flags = '0'] =
      /^flags:\s*(\d+)$/m.exec(readFileSync('/proc/self/fdinfo/1', 'utf8')) ?? [];
    const isReadable = (Number.parseInt(flags, 8) & constants.O_RDWR) !== 0;
    return isReadable && readlinkSync('/proc/self/fd/1') === '/dev/null';
  } catch {
    // Not Linux.
    return false;
  }
}
