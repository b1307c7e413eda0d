import { topics } from '../../src/commands/help/topics.ts';
import { environmentVariables } from '../../src/config/variables.ts';
import type { CommandNode, OptionNode, ProgramNode } from '../../src/program/command-tree.ts';

/** The manual page petstore(1), in man(7)'s language, from the declarations that the help is made of. */
export function writeManual(program: ProgramNode, version: string): string {
  const sections = [
    `.TH PETSTORE 1 "" "petstore ${version}" "User Commands"`,
    ['.SH NAME', `petstore \\- ${escapeText(lowerFirst(program.description))}`],
    ['.SH SYNOPSIS', '.B petstore', '\\fIcommand\\fR [\\fIargument\\fR ...] [\\fIoption\\fR ...]'],
    ['.SH DESCRIPTION', escapeText(program.description), '.PP', escapeText(introduction)],
    ['.SH COMMANDS', ...program.commands.flatMap((node) => describeCommand(node, 'petstore'))],
    ['.SH GLOBAL OPTIONS', ...program.globalOptions.flatMap(describeOption)],
    ['.SH ENVIRONMENTS', ...quote(dropTitle(topics.environments))],
    ['.SH SUPPORT', ...quote(dropTitle(topics.support))],
    ['.SH OUTPUT', ...quote(dropTitle(topics.output))],
    ['.SH DEPRECATION', ...quote(dropTitle(topics.deprecation))],
    ['.SH EXIT STATUS', ...quote(dropTitle(topics['exit-codes']))],
    ['.SH ENVIRONMENT', ...variables.flatMap(({ name, meaning }) => describeTerm(name, meaning))],
    ['.SH FILES', ...files.flatMap(([name, meaning]) => describeTerm(name, meaning))],
  ];
  return `${sections.flat().join('\n')}\n`;
}

const introduction =
  'stdout carries the data that was asked for and nothing else; prompts, notices and errors go to stderr.';

const variables = Object.values(environmentVariables);

const files = [
  ['~/.config/petstore/config.json', 'Environments and which one is used. It contains no key.'],
  ['~/.config/petstore/keys.json', 'API keys stored with auth login --storage file.'],
  ['~/.local/state/petstore/', 'Staged imports, and when a notice was last shown.'],
  ['~/.local/share/petstore/petstore.db', 'The database of petstore serve.'],
  ['~/.cache/petstore/', 'The compile cache, for a faster start. Remove it at any time.'],
] as const;

/** A group is described by its verbs. */
function describeCommand(node: CommandNode, path: string): string[] {
  const name = `${path} ${node.name}`;
  if (node.commands.length > 0) return node.commands.flatMap((verb) => describeCommand(verb, name));
  const usage = [name, ...node.arguments.map((argument) => argument.usage)].join(' ');
  const alias = node.aliases.length > 0 ? ` Also: ${node.aliases.join(', ')}.` : '';
  return [
    `.SS ${escapeText(usage)}`,
    escapeText(`${node.description}${alias}`),
    ...node.options.filter(({ long }) => long !== '--help').flatMap(describeOption),
    ...(node.notes === '' ? [] : quote(node.notes)),
  ];
}

function describeOption({ flags, description }: OptionNode): string[] {
  return describeTerm(flags, description);
}

function describeTerm(term: string, meaning: string): string[] {
  return ['.TP', `.B ${escapeText(term)}`, escapeText(meaning)];
}

/** Text whose lines and blanks stay as they are. */
function quote(text: string): string[] {
  return [
    '.PP',
    '.nf',
    ...text
      .replace(/^\n+|\s+$/g, '')
      .split('\n')
      .map(escapeText),
    '.fi',
  ];
}

function dropTitle(text: string): string {
  return text.slice(text.indexOf('\n'));
}

/** A dot or an apostrophe at the start of a line would be a request, a bare hyphen could become a dash (man-pages(7)). */
function escapeText(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&')
    .replace(/[^\x20-\x7e]/gu, (letter) => `\\[u${toHex(letter)}]`);
}

function toHex(letter: string): string {
  return (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
