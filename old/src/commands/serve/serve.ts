import { once } from 'node:events';
import { environmentVariables, variableNameFor } from '../../config/variables.ts';
import type { Context } from '../../program/context/context.ts';
import { shellOf } from '../../shell.ts';
import { isMachineFormat, type Terminal } from '../../terminal/terminal.ts';
import { explainFailure } from './explain-failure.ts';
import { explainTakenPort } from './explain-taken-port.ts';

/** Runs the service until the program is asked to stop. */
export async function serve(context: Context, flags: Record<string, unknown>): Promise<void> {
  const { terminal, variables, paths, clock, signal, handleHangup } = context;
  const { startServing } = await import('../../service/start-serving.ts');
  const sources = {
    // Commander says "true" when --no-docs is not given.
    flags: { ...flags, docs: flags.docs === false ? false : undefined },
    variables,
    dataFolder: paths.dataFolder,
  };
  const start = () => startServing({ ...sources, writeLog: terminal.writeError, clock });
  const service = await explainFailure(() => explainTakenPort(start, sources));
  const endHangups = handleHangup(service.reloadTls);
  try {
    announceService(terminal, service);
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    endHangups();
    await service.close();
  }
}

interface Announcement {
  url: string;
  database: string;
  developmentKey: string | undefined;
  hasKeys: boolean;
}

/** Says where the service is and how to get in. The development key is shown here and never again. */
function announceService(terminal: Terminal, { url, database, ...service }: Announcement): void {
  terminal.notice(`Listening on ${url}`, { url, database });
  if (service.developmentKey !== undefined) {
    const key = service.developmentKey;
    terminal.warn('Development key, shown only now. In a second terminal:', { url, key });
    if (!isMachineFormat(terminal.format)) {
      const { environmentUrl, environmentKey } = environmentVariables;
      const { setVariable } = shellOf();
      const nameFor = (variable: typeof environmentUrl) => variableNameFor('staging', variable);
      terminal.writeError(
        `  ${setVariable(nameFor(environmentUrl), url)}\n  ${setVariable(nameFor(environmentKey), key)}\n  petstore list\n`,
      );
    }
  } else if (!service.hasKeys) {
    terminal.warn(
      `No API key exists yet. Create one: petstore keys create --name <label> --database ${shellOf().quote(database)}`,
    );
  }
}
