import { openService, type RunningService } from './open-service.ts';
import { resolveServeSettings, type SettingSources } from './settings.ts';
import { maskDatabaseUrl } from './storage/database-engine.ts';
import { seedStore } from './storage/seed.ts';

export interface ServeContext extends SettingSources {
  readonly writeLog: (line: string) => void;
  readonly clock: () => Date;
}

export interface ServingService extends RunningService {
  /** The URL of the database, without its password, for the commands that work beside the service. */
  readonly database: string;
  /** The key that came with the sample pets; undefined when none were added. */
  readonly developmentKey: string | undefined;
  /** Whether any key was ever created. */
  readonly hasKeys: boolean;
}

/** What `petstore serve` does: settles the settings, opens the service and seeds it if asked. */
export async function startServing(context: ServeContext): Promise<ServingService> {
  const settings = resolveServeSettings(context);
  const service = await openService({
    ...settings,
    writeLog: context.writeLog,
    now: context.clock,
  });
  try {
    const { database, seed } = settings;
    const developmentKey = seed ? await seedStore(service.store, context.clock()) : undefined;
    const hasKeys = (await service.store.listKeys()).length > 0;
    return { ...service, database: maskDatabaseUrl(database), developmentKey, hasKeys };
  } catch (error) {
    await service.close();
    throw error;
  }
}
