import type { Command } from 'commander';
import { readTerminalSettings } from '../config/settings/terminal-settings.ts';
import { ClosedOutputError } from '../terminal/sink.ts';
import { buildProgram, isHelpShown, storeArguments } from './build-program.ts';
import { type CommandEntry, findCommandHelp, type RunAction, topicNames } from './command.ts';
import type { Context, Host } from './context/context.ts';
import { guessFormat, openEarlyTerminal } from './context/open-terminal.ts';
import { findCommandWord, mergeOptions } from './global-options.ts';

/** Runs one command line, without the program's own name, and returns the exit code. Never throws, never exits. */
export async function runProgram(
  argv: readonly string[],
  commands: readonly CommandEntry[],
  host: Host,
): Promise<number> {
  const run: { context?: Context } = {};
  let help = '';
  const openEarly = () => openEarlyTerminal(host, argv);
  const act: RunAction = (load) =>
    async function runVerb(this: Command) {
      const { createContext } = await import('./context/context.ts');
      run.context = createContext(host, mergeOptions(this), async () =>
        (await import('./command-tree.ts')).describeProgram(commands),
      );
      const verb = await load();
      storeArguments(this);
      if (findCommandHelp(this)?.globalOptions?.includes('environment'))
        (await import('./context/announce-ended.ts')).announceEnded(run.context);
      await verb(run.context, this.opts());
    };
  const program = buildProgram({
    commands,
    argv,
    act,
    writeOut: (text) => {
      help += text;
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
  const parsed = refuseKeys(argv).then(() =>
    program.parseAsync(rewriteHelp(argv, commands), { from: 'user' }),
  );
  const shown = parsed.catch((error: unknown) => {
    if (!isHelpShown(error)) throw error;
    return openEarly().stdout.write(help);
  });
  const exitCode = await shown.then(() => 0, finish);
  await run.context?.close();
  return exitCode;
}

/** What looks for keys is loaded only where one may stand. @throws UserError */
async function refuseKeys(argv: readonly string[]): Promise<void> {
  if (argv.some((word) => word.includes('pst_')))
    (await import('./errors/key-argument.ts')).refuseWholeKeys(argv);
}

/** `petstore` and `petstore help` mean `petstore --help`, `petstore help list` means `petstore list --help`. */
function rewriteHelp(argv: readonly string[], commands: readonly CommandEntry[]): string[] {
  if (argv.length === 0) return ['--help'];
  const at = findCommandWord(argv);
  // As JSON, help is the command's own output.
  if (argv[at] !== 'help' || guessFormat(argv) === 'json') return [...argv];
  const [options, words] = [argv.slice(0, at), argv.slice(at + 1)];
  const first = words[findCommandWord(words)];
  if (first === undefined) return words.length === 0 ? ['--help'] : [...argv];
  // An alias may have the name of a topic.
  if (topicNames.some((topic) => topic === first)) return [...argv];
  const isCommand = commands.some(({ name, alias }) => first === name || first === alias);
  return isCommand ? [...options, ...words, '--help'] : [...argv];
}
