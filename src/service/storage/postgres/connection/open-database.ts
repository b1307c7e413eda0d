import type { ClientConfig } from 'pg';
import { maskDatabaseUrl } from '../../mask-database-url.ts';
import { StoreOpenError } from '../../store.ts';
import { describeOpenFailure } from './describe-open-failure.ts';
import { migrate } from './migrations.ts';
import { parseDatabaseUrl } from './parse-database-url.ts';

/** Brings a database to the schema of this program and returns how to connect to it. @throws StoreOpenError */
export async function openDatabase(url: string): Promise<ClientConfig> {
  const config = parseDatabaseUrl(url);
  try {
    await migrate(config);
    return config;
  } catch (error) {
    if (error instanceof StoreOpenError) throw error;
    throw new StoreOpenError(describeOpenFailure(error, maskDatabaseUrl(url)), { cause: error });
  }
}
