import { Command, CommanderError } from 'commander';
import type { ConfigFile } from '../config/config-file.ts';
import type { Variables } from '../config/variables.ts';
import type { OutputFormat } from '../output-formats.ts';
import { version } from '../version.ts';
import type { CommandEntry, Context, RunAction } from './context.ts';
import { describeOption, fitHelp, loadTopic, rootHelp } from './help.ts';
import {
  checkFormatVariable,
  findFormat,
  type GlobalOptions,
  listGlobalOptions,
} from './options.ts';
import { explainUsage, refuseDash, refuseKeys } from './usage-error.ts';
import { findVerb, walkLine } from './walk-line.ts';

export interface ParsedLine {
  readonly options: GlobalOptions;
  readonly format: OutputFormat;
  /** Runs the command, writes the help that was asked for, or rejects with what is wrong with the line. */
  act(context: Context): Promise<void>;
}

export async function parseLine(
  commands: readonly CommandEntry[],
  argv: readonly string[],
  variables: Variables,
  config: ConfigFile,
): Promise<ParsedLine> {
  const help: string[] = [];
  let act: ParsedLine['act'] = async ({ terminal }) =>
    await terminal.write(fitHelp(help.join(''), terminal.stdout));
  const run: RunAction =
    (action) =>
    async (...words) => {
      act = async (context) => {
        if (context.terminal.isInteractive) refuseDash(program, argv);
        await action(context, ...withParentOptions(words));
      };
    };
  const program = buildProgram(commands, (text) => help.push(text));
  // What follows a command's name is loaded when that name was typed.
  program.hook('preSubcommand', (_, command) => declareCommand(commands, command, run));
  const readOptions = () => {
    const options: GlobalOptions = program.opts();
    return { options, format: findFormat(options, variables, config) };
  };
  try {
    refuseKeys(argv);
    const operands = walkLine(program, argv).operands.map((index) => argv[index]);
    const topic = await loadTopic(operands.join(' '));
    if (topic !== undefined) help.push(topic);
    else await program.parseAsync(expandHelp(argv, program), { from: 'user' });
    checkFormatVariable(program.opts(), variables);
    return { ...readOptions(), act };
  } catch (error) {
    const isHelp = error instanceof CommanderError && error.exitCode === 0;
    const { color } = program.opts();
    if (isHelp) return { options: { color }, format: 'table', act };
    const problem = explainUsage(error, program, argv);
    return { ...readOptions(), act: () => Promise.reject(problem) };
  }
}

/** `petstore` means `petstore --help`, and `petstore help list` means `petstore list --help`. */
function expandHelp(argv: readonly string[], program: Command): readonly string[] {
  const [first = -1, second = -1] = walkLine(program, argv).operands;
  if (argv.length === 0) return ['--help'];
  if (argv[first] === 'help') {
    const rest = argv.toSpliced(first, 1);
    return second === -1 || findVerb(program, argv[second]) ? [...rest, '--help'] : rest;
  }
  // commander would show the help of the program.
  const isUnknown = first !== -1 && findVerb(program, argv[first]) === undefined;
  return isUnknown ? argv.filter((word) => word !== '--help' && word !== '-h') : argv;
}

function buildProgram(
  commands: readonly CommandEntry[],
  writeOut: (text: string) => void,
): Command {
  const program = new Command('petstore')
    .version(version, '-V, --version', 'print the version')
    .helpCommand(false)
    .configureHelp({
      visibleArguments: () => [],
      commandDescription: () => '',
      optionDescription: describeOption,
      helpWidth: 80,
    })
    .helpOption('-h, --help', 'show this help')
    // Errors are thrown, and reported at one place.
    .configureOutput({ writeOut, writeErr: () => {}, outputError: () => {} })
    .exitOverride();
  program.helpInformation = () => rootHelp;
  for (const option of listGlobalOptions()) program.addOption(option);
  for (const { name, aliases = [], summary } of commands)
    program.command(name).aliases(aliases).summary(summary);
  return program;
}

/** The whole command line with every command declared, to be read and not to be run: for completion and the manual. */
export async function loadProgram(commands: readonly CommandEntry[]): Promise<Command> {
  const run = () => () => Promise.reject(new Error('This command line is only read.'));
  const program = buildProgram(commands, () => {});
  for (const command of program.commands) await declareCommand(commands, command, run);
  return program;
}

async function declareCommand(
  commands: readonly CommandEntry[],
  command: Command,
  run: RunAction,
): Promise<void> {
  const entry = commands.find(({ name }) => name === command.name());
  (await entry?.load())?.declare(command, run);
}

/** An option that a group and its verb both have is read by the group, before the verb and behind it. */
function withParentOptions<Words extends unknown[]>(words: Words): Words {
  const command = words.at(-1);
  if (command instanceof Command) Object.assign(words.at(-2) ?? {}, command.optsWithGlobals());
  return words;
}
