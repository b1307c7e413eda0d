import type { Context } from '../../program/context.ts';
import { parseDatabaseUrl } from '../../service/storage/database-url.ts';
import { openProgress } from '../../terminal/progress.ts';

const words = { pets: 'pets', idempotency_keys: 'idempotency keys', api_keys: 'API keys' } as const;

export async function copyDatabase(context: Context, from: string, to: string): Promise<void> {
  const { terminal, signal } = context;
  const [source, target] = [parseDatabaseUrl(from), parseDatabaseUrl(to)];
  const { copyStore } = await import('../../service/storage/copy-store.ts');
  const progress = openProgress(terminal);
  try {
    const copied = await copyStore(source, target, {
      signal,
      onProgress: (table, done, total) =>
        progress.update(`Copying ${words[table]}: ${format(done)} of ${format(total)}`),
    });
    progress.end();
    terminal.notice(
      `Copied to ${target.shown}, and compared: ${format(copied.pets)} pets, ${format(copied.api_keys)} API keys.`,
    );
  } finally {
    progress.end();
  }
}

function format(number: bigint | number): string {
  return number.toLocaleString('en-US');
}
