import { readTerminalSettings } from '../config/settings/terminal-settings.ts';
import { ClosedOutputError } from '../terminal/sink.ts';
import { buildProgram, buildWholeProgram, isHelpShown } from './build-program.ts';
import { type CommandEntry, topicNames } from './command.ts';
import type { ProgramNode } from './command-tree.ts';
import type { Context, Host } from './context/context.ts';
import { openEarlyTerminal } from './context/open-terminal.ts';

/** What a run has created so far, for its end. */
interface Run {
  context?: Context;
  /** Text of help or version. */
  help: string;
}

/** Runs one command line, without the program's own name, and returns the exit code. Never throws, never exits. */
export async function runProgram(
  argv: readonly string[],
  commands: readonly CommandEntry[],
  host: Host,
): Promise<number> {
  const run: Run = { help: '' };
  const openEarly = () => openEarlyTerminal(host, argv);
  const program = buildProgram({
    argv,
    commands,
    createContext: async (options) => {
      const { createContext } = await import('./context/context.ts');
      run.context = createContext(host, options, () => describeProgram(commands));
      return run.context;
    },
    writeOut: (text) => {
      run.help += text;
    },
    helpWidth: () => Math.min(openEarly().stdout.columns(), 100),
  });
  const finish = async (error: unknown): Promise<number> => {
    if (error instanceof ClosedOutputError) return 0;
    const { reportError } = await import('./errors/report-error.ts');
    const { isDebugging } = readTerminalSettings(host.variables);
    const requestTarget = run.context?.requestTarget() ?? {};
    const terminal = run.context?.terminal ?? openEarly();
    return reportError(terminal, error, { signal: host.signal, requestTarget }, isDebugging);
  };
  const parsed = program.parseAsync(rewriteHelp(argv, commands), { from: 'user' });
  const shown = parsed.catch((error: unknown) => {
    if (!isHelpShown(error)) throw error;
    return openEarly().stdout.write(run.help);
  });
  const exitCode = await shown.then(() => 0, finish);
  await run.context?.close();
  return exitCode;
}

/** Loads every declaration, which completion and the list of global options need. */
async function describeProgram(commands: readonly CommandEntry[]): Promise<ProgramNode> {
  const { readCommandTree } = await import('./command-tree.ts');
  return readCommandTree(await buildWholeProgram(commands));
}

/** `petstore` and `petstore help` mean `petstore --help`, `petstore help list` means `petstore list --help`. */
function rewriteHelp(argv: readonly string[], commands: readonly CommandEntry[]): string[] {
  const [first, second, ...rest] = argv;
  if (first === undefined) return ['--help'];
  if (first !== 'help') return [...argv];
  if (second === undefined) return ['--help'];
  // An alias may have the name of a topic.
  if (topicNames.some((topic) => topic === second)) return [...argv];
  const isCommand = commands.some(({ name, alias }) => second === name || second === alias);
  return isCommand ? [second, ...rest, '--help'] : [...argv];
}
