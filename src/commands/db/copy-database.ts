import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { openProgress, type Progress } from '../../terminal/progress.ts';
import { explainFailure } from '../serve/explain-failure.ts';

export interface CopyFlags {
  from: string;
  to: string;
}

/** Copies a store from one database to another. @throws UserError */
export async function copyDatabase(context: Context, flags: CopyFlags): Promise<void> {
  if (flags.from === flags.to) {
    throw new UserError('cli_usage', '--from and --to name the same database');
  }
  const progress = openProgress(context.terminal, context.clock);
  try {
    const { counts, checksums } = await explainFailure(() => copy(context, flags, progress));
    progress.end();
    context.terminal.notice(describeCopy(counts, checksums), { ...counts, checksums });
  } catch (error) {
    progress.end();
    if (context.signal.aborted) {
      context.terminal.warn('What was copied stays; the same command continues from there.');
    }
    throw error;
  }
}

async function copy({ signal }: Context, { from, to }: CopyFlags, progress: Progress) {
  const { openCopyEndpoint } = await import('../../service/storage/databases.ts');
  const { CopyError, copyStore } = await import('../../service/storage/copy/copy-store.ts');
  const source = await openCopyEndpoint(from, 'source');
  try {
    const target = await openCopyEndpoint(to, 'target');
    try {
      const ends = { from: source, to: target };
      return await copyStore(ends, {
        signal,
        onProgress: ({ step, kind, done, total }) =>
          progress.update({ label: `${step} ${words[kind]}`, done, total }),
      });
    } finally {
      await target.close();
    }
  } catch (cause) {
    throw cause instanceof CopyError
      ? new UserError('cli_database', cause.message, { cause })
      : cause;
  } finally {
    await source.close();
  }
}

const words = { pets: 'pets', idempotencyKeys: 'idempotency keys', apiKeys: 'API keys' } as const;
const kinds = ['pets', 'idempotencyKeys', 'apiKeys'] as const;
type Kind = (typeof kinds)[number];

function describeCopy(counts: Record<Kind, number>, checksums: Record<Kind, string>): string {
  const parts = kinds.map(
    (kind) =>
      `${counts[kind].toLocaleString('en-US')} ${words[kind]} (${checksums[kind].slice(0, 12)})`,
  );
  return `Copied and compared, with checksums: ${parts.join(', ')}`;
}
