import { openService } from './open-service.ts';
import { resolveServeSettings, type SettingSources } from './settings.ts';
import { maskDatabaseUrl } from './storage/database-engine.ts';
import { seedStore } from './storage/seed.ts';

export interface ServeContext extends SettingSources {
  readonly writeLog: (line: string) => void;
  readonly clock: () => Date;
}

/** Runs `petstore serve`: resolves the settings, opens the service and seeds it if asked. */
export async function startServing(context: ServeContext) {
  const settings = resolveServeSettings(context);
  const { writeLog, clock } = context;
  const service = await openService({ ...settings, writeLog, now: clock });
  try {
    return {
      ...service,
      /** Without its password, for the commands that work beside the service. */
      database: maskDatabaseUrl(settings.database),
      /** The key that came with the sample pets; undefined when none was made. */
      developmentKey: settings.seed ? await seedStore(service.store, clock()) : undefined,
      /** Whether any key was ever created. */
      hasKeys: (await service.store.listKeys()).length > 0,
    };
  } catch (error) {
    await service.close();
    throw error;
  }
}
