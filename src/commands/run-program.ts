import { readScreenSettings } from '../config/screen-settings.ts';
import { createRedactor } from '../terminal/redactor.ts';
import { ClosedOutputError } from '../terminal/sink.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type Context, createContext, openTerminal } from './context.ts';
import type { Edges } from './edges.ts';
import { guessFormat } from './global-options.ts';
import { commands } from './index.ts';
import { buildProgram, isHelpShown } from './program.ts';

/** Runs one command line, without the program's own name, and returns the exit code. Never throws, never exits. */
export async function runProgram(argv: readonly string[], edges: Edges): Promise<number> {
  const format = guessFormat(argv, edges.variables.PETSTORE_OUTPUT);
  let terminal: Terminal = openTerminal(edges, {}, createRedactor(), format);
  const help: string[] = [];
  const program = buildProgram({
    commands,
    createContext: (options) => {
      const context: Context = createContext(edges, options);
      terminal = context.terminal;
      return context;
    },
    writeOut: (text) => help.push(text),
    helpWidth: Math.min(terminal.stdout.columns(), 100),
  });
  try {
    await program.parseAsync(rewriteHelp(argv), { from: 'user' });
    return 0;
  } catch (error) {
    return await finish(error, terminal, edges, help.join(''));
  }
}

async function finish(
  error: unknown,
  terminal: Terminal,
  edges: Edges,
  help: string,
): Promise<number> {
  if (error instanceof ClosedOutputError) return 0;
  if (isHelpShown(error)) {
    return await terminal.stdout.write(help).then(
      () => 0,
      (failure: unknown) => finish(failure, terminal, edges, ''),
    );
  }
  const { reportError } = await import('./report-error.ts');
  const { isDebugging } = readScreenSettings(edges.variables);
  return reportError(terminal, error, { signal: edges.signal, isDebugging });
}

/** `petstore`, `petstore help` and `petstore help list` are other words for `--help`. */
function rewriteHelp(argv: readonly string[]): string[] {
  const [first, second, ...rest] = argv;
  if (first === undefined) return ['--help'];
  if (first !== 'help') return [...argv];
  if (second === undefined) return ['--help'];
  const isCommand = commands.some(({ name, alias }) => second === name || second === alias);
  return isCommand ? [second, ...rest, '--help'] : [...argv];
}
