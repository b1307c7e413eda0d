import { type PetstoreProcess, type RunOptions, startPetstore } from './run-petstore.ts';

export interface ServeProcess {
  readonly process: PetstoreProcess;
  /** Ends in `/v1`. */
  readonly url: string;
  /** Ends the process without a word to it, and waits until it is gone. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
}

/** Starts `petstore serve` on a database, on a free port unless `words` say one. */
export async function startServe(
  database: string,
  words: readonly string[] = [],
  options: RunOptions = {},
): Promise<ServeProcess> {
  const port = words.includes('--port') ? [] : ['--port', '0'];
  const process = await startPetstore(['serve', ...port, ...words], {
    ...options,
    variables: { ...options.variables, PETSTORE_SERVE_DATABASE: database },
  });
  const log = await process.waitForText('stderr', /listening on (https?:\/\/[\w.:]+)/);
  const [, origin = ''] = /listening on (https?:\/\/[\w.:]+)/.exec(log) ?? [];
  const end = async (signal: NodeJS.Signals) => {
    process.child.kill(signal);
    return (await process.ended).exitCode;
  };
  return {
    process,
    url: `${origin}/v1`,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  };
}
