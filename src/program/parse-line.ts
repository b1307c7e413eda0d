import { type Command, CommanderError } from 'commander';
import type { Variables } from '../config/variables.ts';
import type { OutputFormat } from '../terminal/terminal.ts';
import { buildProgram } from './build-program.ts';
import type { CommandEntry } from './command.ts';
import type { Context } from './context.ts';
import { formatOptionsHelp } from './help.ts';
import { chooseFormat, findTypedFormat, type GlobalOptions } from './options.ts';

/** What a line asks for. */
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
): Promise<ParsedLine> {
  const help: string[] = [];
  let act: ParsedLine['act'] = async ({ terminal }) => await terminal.write(help.join(''));
  const program = buildProgram(commands, {
    run:
      (action) =>
      async (...words) => {
        act = (context) => action(context, ...words);
      },
    writeOut: (text) => help.push(text),
  });
  const refuse = async (error: unknown): Promise<ParsedLine> => {
    const { explainUsage } = await import('./usage-error.ts');
    const act = () => Promise.reject(explainUsage(error, program));
    return { options: program.opts(), format: findTypedFormat(program.opts()) ?? 'table', act };
  };
  try {
    if (argv.join(' ') === 'help options') help.push(formatOptionsHelp());
    else await program.parseAsync(expandHelp(argv, program), { from: 'user' });
    return { options: program.opts(), format: chooseFormat(program.opts(), variables), act };
  } catch (error) {
    const isHelp = error instanceof CommanderError && error.exitCode === 0;
    return isHelp ? { options: {}, format: 'table', act } : await refuse(error);
  }
}

/** `petstore` means `petstore --help`, and `petstore help list` means `petstore list --help`. */
function expandHelp(argv: readonly string[], program: Command): readonly string[] {
  const [first = 'help', ...words] = argv;
  if (first !== 'help') return argv;
  const isKnown = program.commands.some((one) =>
    [one.name(), ...one.aliases()].includes(words[0] ?? ''),
  );
  return words.length === 0 || isKnown ? [...words, '--help'] : words;
}
