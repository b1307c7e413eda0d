import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command, Option } from 'commander';
import { emphasizeHeading } from '../terminal/emphasis.ts';
import { type Screen, wrapWords } from '../terminal/terminal.ts';
import { listGlobalOptions } from './options.ts';
import { listChoices } from './values.ts';

export const rootHelp = `petstore - add and find the pets of your pet store

  petstore add                     asks for what it needs
  petstore list gold               find pets
  petstore import delivery.xlsx    add a whole file

Pets            add  list  get  import
This computer   login  logout  env  doctor  completion
The service     serve  keys  db

petstore <command> --help          options and examples
`;

const headings = /^(?:Usage:|Options:|Commands:|Pets(?= )|This computer|The service)/gm;

/** Help as its reader sees it: headings in bold, and no word broken where a terminal is narrow. */
export function fitHelp(text: string, { isTerminal, hasColor, width }: Screen): string {
  if (!isTerminal) return text;
  const fitted = text.split('\n').map((line) => {
    const [indent = ''] = /^ */.exec(line) ?? [];
    const rest = line.slice(indent.length);
    return indent + wrapWords(rest, width - indent.length - 2).replaceAll('\n', `\n${indent}  `);
  });
  return fitted.join('\n').replace(headings, (heading) => emphasizeHeading(heading, hasColor));
}

/** The global options that do something for a command, for the last line of its help. */
export const alsoOptions = {
  reads: '-e, -o, --json, --csv, --fields, -q, -v',
  writes: '-e, -o, --json, --confirm, --no-input, -q, -v',
  connects: '-e, -o, --json, -q, -v, --timeout',
  local: '-o, --json, --csv, --fields, -q',
} as const;

export interface CommandHelp {
  readonly sentence: string;
  /** Three lines to type, each perhaps with what it does after two blanks. */
  readonly examples: readonly string[];
  readonly also: string;
}

/** Puts the sentence and the examples before commander's own help, and the global options that matter after it. */
export function describeCommand(command: Command, help: CommandHelp): Command {
  const examples = help.examples.map((line) => `  ${line}`).join('\n');
  return command
    .description(help.sentence)
    .helpCommand(false)
    .addHelpText('before', `${help.sentence}\n\n${examples}\n`)
    .addHelpText('after', `\nAlso: ${help.also}; see petstore help options`);
}

/** The text of `petstore help <topic>`; undefined where there is no such topic. */
export async function loadTopic(line: string): Promise<string | undefined> {
  if (line === 'help options') return formatOptionsHelp();
  if (line !== 'help licenses') return undefined;
  return await readFile(path.join(import.meta.dirname, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
}

export function describeOption({ description, argChoices }: Option): string {
  return argChoices === undefined ? description : `${description}: ${listChoices(argChoices)}`;
}

function formatOptionsHelp(): string {
  const lines = listGlobalOptions().map(
    (option) => `  ${option.flags.padEnd(25)}  ${describeOption(option)}`,
  );
  return ['Options of every command, before or after its name:', '', ...lines, ''].join('\n');
}
