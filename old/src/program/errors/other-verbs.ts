import type { Command } from 'commander';
import { formatOption, formatShellLine } from '../../terminal/text/shell-line.ts';

interface Explanation {
  message: string;
  /** The line to try, if any does what was meant. */
  next?: string;
}

type Explain = (words: readonly string[], verb: string) => Explanation;

/** What other programs can do and this one cannot: the API has neither update nor delete. */
const missingVerbs = ['update', 'edit', 'change', 'rename', 'delete', 'remove', 'rm', 'del'];

/** Verbs that people know from elsewhere, or say without their group, and the command that is meant. */
const commandPaths: Readonly<Record<string, readonly string[]>> = {
  login: ['auth', 'login'],
  logout: ['auth', 'logout'],
  whoami: ['auth', 'status'],
  status: ['auth', 'status'],
  token: ['auth', 'token'],
  use: ['env', 'use'],
  switch: ['env', 'use'],
  backup: ['db', 'backup'],
  migrate: ['db', 'migrate'],
  new: ['add'],
  create: ['add'],
  insert: ['add'],
  show: ['get'],
  view: ['get'],
  upload: ['import'],
  load: ['import'],
  check: ['doctor'],
};

const otherVerbs = new Map<string, Explain>([
  ['find', explainFinding],
  ['search', explainFinding],
  ...missingVerbs.map((verb): [string, Explain] => [verb, explainMissing]),
  ...Object.entries(commandPaths).map(([verb, path]): [string, Explain] => [
    verb,
    explainPath(path),
  ]),
]);

/** What an unknown verb means here, if it is known from elsewhere. */
export function explainVerb(argv: readonly string[], command: Command): Explanation | undefined {
  const [verb = ''] = command.args;
  // Within a group another word is meant.
  const explain = command.parent === null ? otherVerbs.get(verb) : undefined;
  if (explain === undefined) return undefined;
  const at = argv.indexOf(verb);
  const { message, next } = explain(argv.slice(at + 1), verb);
  if (next === undefined) return { message };
  const options = formatShellLine(['petstore', ...argv.slice(0, at)]);
  return { message, next: `${options} ${next}` };
}

function explainMissing(): Explanation {
  return { message: 'Pets cannot be changed or removed once added.' };
}

/** What groups take after their verb is options: the words of another verb do not fit there. */
function explainPath(path: readonly string[]): Explain {
  return (words, verb) => {
    const rest = path[0] === 'auth' ? words.slice(findOption(words)) : words;
    return {
      message: `Unknown command '${verb}'. Did you mean ${path.join(' ')}?`,
      next: formatShellLine([...path, ...rest]),
    };
  };
}

function explainFinding(words: readonly string[]): Explanation {
  const end = findOption(words);
  const name = words.slice(0, end).join(' ');
  const line =
    name === ''
      ? ['list', '--help']
      : ['list', ...formatOption('--name', name), ...words.slice(end)];
  return { message: 'Pets are found by petstore list.', next: formatShellLine(line) };
}

function findOption(words: readonly string[]): number {
  const at = words.findIndex((word) => word.startsWith('-'));
  return at === -1 ? words.length : at;
}
