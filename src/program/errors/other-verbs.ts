import type { Command } from 'commander';
import { formatOption, formatShellLine } from '../../terminal/text/shell-line.ts';

interface Explanation {
  message: string;
  /** The line to try. */
  next: string;
}

/** Verbs that people know from elsewhere, and how this program says the same. */
const otherVerbs: Readonly<Record<string, (words: readonly string[]) => Explanation>> = {
  find: explainFinding,
  search: explainFinding,
};

/** What an unknown verb means here, if it is known from elsewhere. */
export function explainVerb(argv: readonly string[], command: Command): Explanation | undefined {
  const [verb = ''] = command.args;
  if (!Object.hasOwn(otherVerbs, verb)) return undefined;
  const at = argv.indexOf(verb);
  const explanation = otherVerbs[verb]?.(argv.slice(at + 1));
  return explanation && withOptionsBefore(argv.slice(0, at), explanation);
}

function explainFinding(words: readonly string[]): Explanation {
  const end = words.findIndex((word) => word.startsWith('-'));
  const name = words.slice(0, end === -1 ? words.length : end).join(' ');
  const rest = end === -1 ? [] : words.slice(end);
  const line =
    name === '' ? ['list', '--help'] : ['list', ...formatOption('--name', name), ...rest];
  return { message: 'Pets are found by petstore list.', next: formatShellLine(line) };
}

function withOptionsBefore(
  options: readonly string[],
  { message, next }: Explanation,
): Explanation {
  return { message, next: [formatShellLine(['petstore', ...options]), next].join(' ') };
}
