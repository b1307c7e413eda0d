import type { KeyAccess } from '../../contract/headers.ts';
import type { Context } from '../../program/context.ts';
import { createKey as createStoredKey } from '../../service/keys/create-key.ts';
import { createWriter, type Sheet } from '../../terminal/formats.ts';
import { type DatabaseOptions, findDatabase, withStore } from '../shared/database.ts';
import { printKey, requireStdout } from '../shared/print-key.ts';

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
  const writer = createWriter(terminal, sheet, options);
  requireStdout();
  return (printed) =>
    printKey(() =>
      terminal.format === 'table' ? terminal.write(`${printed.key}\n`) : writer.writeRow(printed),
    );
}
