import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { openProgress } from '../../terminal/progress.ts';
import { explainFailure } from '../serve/explain-failure.ts';

interface CopyFlags {
  from: string;
  to: string;
}

const words = { pets: 'pets', idempotencyKeys: 'idempotency keys', apiKeys: 'API keys' } as const;
const singulars = { pets: 'pet', idempotencyKeys: 'idempotency key', apiKeys: 'API key' } as const;
const kinds = ['pets', 'idempotencyKeys', 'apiKeys'] as const;

/** Copies a store from one database to another. @throws UserError */
export async function copyDatabase(context: Context, flags: CopyFlags): Promise<void> {
  if (flags.from === flags.to) {
    throw new UserError('cli_usage', '--from and --to name the same database');
  }
  try {
    const { counts, checksums } = await explainFailure(() => copy(context, flags));
    const parts = kinds.map(
      (kind) => `${formatCount(kind, counts[kind])} (${checksums[kind].slice(0, 12)})`,
    );
    context.terminal.notice(`Copied and compared, with checksums: ${parts.join(', ')}`, {
      ...counts,
      checksums,
    });
  } catch (error) {
    if (context.signal.aborted) {
      context.terminal.warn('What was copied stays; the same command continues from there.');
    }
    throw error;
  }
}

function formatCount(kind: keyof typeof words, count: number): string {
  const noun = count === 1 ? singulars[kind] : words[kind];
  return `${count.toLocaleString('en-US')} ${noun}`;
}

async function copy(context: Context, flags: CopyFlags) {
  const { openCopyEndpoint } = await import('../../service/storage/databases.ts');
  const { CopyError, copyStore } = await import('../../service/storage/copy/copy-store.ts');
  const from = await openCopyEndpoint(flags.from, 'source');
  const progress = openProgress(context.terminal, context.clock);
  try {
    const to = await openCopyEndpoint(flags.to, 'target');
    try {
      return await copyStore(
        { from, to },
        {
          signal: context.signal,
          onProgress: ({ step, kind, done, total }) =>
            progress.update({ label: `${step} ${words[kind]}`, done, total }),
        },
      );
    } finally {
      await to.close();
    }
  } catch (cause) {
    throw cause instanceof CopyError
      ? new UserError('cli_database', cause.message, { cause })
      : cause;
  } finally {
    progress.end();
    await from.close();
  }
}
