import { openConfigFile } from '../config/config-file.ts';
import type { Variables } from '../config/variables.ts';
import { OutputClosedError, openTerminal, type Streams } from '../terminal/terminal.ts';
import { loadProgram, parseLine } from './build-program.ts';
import type { CommandEntry } from './context.ts';
import { createContext } from './create-context.ts';
import { type SignalSource, watchSignals } from './signals.ts';

export interface Host extends Streams, SignalSource {
  readonly argv: readonly string[];
  readonly env: Variables;
}

/** Runs one command line; resolves to its exit code. */
export async function runProgram(commands: readonly CommandEntry[], host: Host): Promise<number> {
  const argv = host.argv.slice(2);
  const { resend, ...signals } = watchSignals(host);
  const config = openConfigFile(host.env);
  const { options, format, act } = await parseLine(commands, argv, host.env, config);
  const terminal = openTerminal(host, {
    format,
    variables: host.env,
    isQuiet: options.quiet ?? false,
    mayAsk: options.input ?? true,
    mayColor: options.color ?? true,
  });
  const context = createContext({
    terminal,
    options,
    argv,
    variables: host.env,
    config,
    streams: host,
    ...signals,
    loadProgram: () => loadProgram(commands),
  });
  const exitCode = await act(context).then(
    () => 0,
    async (error) => {
      if (error instanceof OutputClosedError) return 0;
      const { reportError } = await import('./report-error.ts');
      return reportError(context, error);
    },
  );
  await context.close();
  if (signals.signal.aborted && exitCode > 0) resend();
  return exitCode;
}
