import { StoreOpenError } from '../store.ts';
import type { CopyEndpoint, CopyRole } from './copy-endpoint.ts';

/**
 * Opens a database for a copy: `sqlite:<path>`, which no service may be running on, or `postgres://user@host/database`.
 * @throws StoreOpenError
 */
export async function openCopyEndpoint(url: string, role: CopyRole): Promise<CopyEndpoint> {
  if (/^postgres(ql)?:/.test(url)) {
    const { openPostgresCopyEnd } = await import('../postgres/copy-endpoint.ts');
    return await openPostgresCopyEnd(url);
  }
  const path = /^sqlite:(.+)$/s.exec(url)?.[1];
  if (path === undefined || path === ':memory:') {
    throw new StoreOpenError(
      `the ${role} of a copy is sqlite:<path> or postgres://user@host/database`,
    );
  }
  const { openSqliteCopyEnd } = await import('../sqlite/copy-endpoint.ts');
  return await openSqliteCopyEnd(path, role);
}
