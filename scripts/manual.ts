import type { Command } from 'commander';
import { variableMeanings } from '../src/config/variables.ts';
import { describeOption } from '../src/program/help.ts';
import { version } from '../src/version.ts';

const files = {
  '~/.config/petstore/config.json': 'Environments, and where their keys are. It has no key.',
  '~/.config/petstore/keys.json': 'API keys, on a computer without a keychain.',
  '~/.local/state/petstore/imports/': 'One record per import of the last 90 days.',
  '~/.local/share/petstore/petstore.db': 'The database of petstore serve.',
  '~/.cache/petstore/': 'Compiled code, for a faster start. Remove it at any time.',
  '%APPDATA%\\petstore\\': 'On Windows: config.json and keys.json.',
  '%LOCALAPPDATA%\\petstore\\': 'On Windows: imports, petstore.db and the compiled code.',
};

/** The manual page petstore(1), in the language of man(7). */
export function renderManual(program: Command): string {
  const lines = [
    `.TH PETSTORE 1 "" "petstore ${version}" "User Commands"`,
    '.SH NAME',
    'petstore \\- add and find the pets of your pet store',
    '.SH SYNOPSIS',
    '.B petstore',
    '\\fIcommand\\fR [\\fIargument\\fR ...] [\\fIoption\\fR ...]',
    '.SH COMMANDS',
    ...program.createHelp().visibleCommands(program).flatMap(describeCommand),
    '.SH GLOBAL OPTIONS',
    ...describeOptions(program),
    '.SH ENVIRONMENT',
    ...describeTerms(variableMeanings),
    '.SH FILES',
    ...describeTerms(files),
  ];
  return `${lines.join('\n')}\n`;
}

/** A group of commands is described by its commands. */
function describeCommand(command: Command): string[] {
  const verbs = command.createHelp().visibleCommands(command);
  const meaning = command.description() || command.summary();
  const heading = `.SS ${escapeText(formatUsage(command))}`;
  const own = [heading, escapeText(meaning), ...describeOptions(command)];
  return [...own, ...verbs.flatMap(describeCommand)];
}

/** A command as usage lines have it, without its options and short names: `petstore env use [name]`. */
export function formatUsage(command: Command): string {
  const usage = command.createHelp().commandUsage(command);
  return usage.replace(/\|\w+(?= |$)| \[(options|command)\]/g, '');
}

function describeOptions(command: Command): string[] {
  const options = command.options.filter(({ hidden }) => !hidden);
  return options.flatMap((option) => describeTerm(option.flags, describeOption(option)));
}

function describeTerms(meanings: Readonly<Record<string, string>>): string[] {
  return Object.entries(meanings).flatMap(([term, meaning]) => describeTerm(term, meaning));
}

function describeTerm(term: string, meaning: string): string[] {
  return ['.TP', `.B ${escapeText(term)}`, escapeText(meaning)];
}

/** A dot or an apostrophe at the start of a line would be a request, a bare hyphen could become a dash (man-pages(7)). */
function escapeText(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&');
}
