import type { Command, Help } from 'commander';
import { type CommandHelp, findCommandHelp } from './command.ts';
import { listHelpOptions } from './global-options.ts';

type Item = readonly [term: string, description: string];

/** The help of the program, a group or a command: examples first, then only what acts on it. */
export function formatHelp(command: Command, helper: Help): string {
  const help = findCommandHelp(command);
  const sections = [
    [`Usage: ${helper.commandUsage(command)}`, wrap(command.description(), helper)],
    listExamples(help?.examples ?? []),
    listItems('Arguments:', helper, listArguments(command)),
    listItems('Commands:', helper, listCommands(command, helper)),
    help === undefined ? [] : listItems('Options:', helper, listOptions(command, help)),
    command.parent === null ? startHere : [],
    [...describeNotes(help, helper), 'Global options: petstore help options'],
  ];
  const texts = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${texts.join('\n\n')}\n`;
}

const startHere = [
  'Start here:',
  '  $ petstore add                    add pets; it asks for what it needs',
  '  $ petstore list                   see the pets',
  '  $ petstore doctor                 find out why something does not work',
];

/** What the manual says after the options: examples, output and exit codes. */
export function formatNotes(help: CommandHelp): string {
  return [...listExamples(help.examples), '', ...describeNotes(help)].join('\n');
}

function listExamples(examples: readonly string[]): string[] {
  return examples.length === 0 ? [] : ['Examples:', ...examples.map((line) => `  $ ${line}`)];
}

function describeNotes(help: CommandHelp | undefined, helper?: Help): string[] {
  if (help === undefined) return [];
  const codes = `Exit codes: 0 done${help.exitCodes ? `, ${help.exitCodes}` : ''}`;
  return [`Output: ${help.output.replaceAll('\n', '\n  ')}`, helper ? wrap(codes, helper) : codes];
}

function listArguments(command: Command): Item[] {
  const described = command.registeredArguments.filter(({ description }) => description !== '');
  return described.map((argument) => [argument.name(), argument.description]);
}

function listCommands(command: Command, helper: Help): Item[] {
  return helper
    .visibleCommands(command)
    .map((verb) => [
      [verb.name(), ...verb.aliases()].join('|'),
      verb.summary() || verb.description(),
    ]);
}

function listOptions(command: Command, { globalOptions = [] }: CommandHelp): Item[] {
  return listHelpOptions(command, globalOptions).map((option) => {
    const { flags, description, defaultValue, defaultValueDescription } = option;
    const hasDefault = defaultValue !== undefined && typeof defaultValue !== 'boolean';
    const shown = defaultValueDescription ?? defaultValue;
    return [flags, hasDefault ? `${description} (default: ${shown})` : description];
  });
}

function listItems(title: string, helper: Help, items: readonly Item[]): string[] {
  if (items.length === 0) return [];
  const width = Math.max(...items.map(([term]) => term.length));
  const lines = items.map(([term, text]) => helper.formatItem(term, width, text, helper));
  return [title, ...lines];
}

function wrap(text: string, helper: Help): string {
  return helper.boxWrap(text, helper.helpWidth ?? 80);
}
