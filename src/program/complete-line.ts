import type { Argument, Command, Option } from 'commander';
import { findOption, listOptions, walkLine } from './walk-line.ts';

/** What can take the place of the last word of a line; `meaning` is for the shells that show it. */
export interface Completion {
  readonly value: string;
  readonly meaning: string;
}

/** Completes a line that was typed up to here, such as `petstore list --sta`. Nothing where files can follow. */
export function completeLine(
  program: Command,
  line: string,
  environments: readonly string[],
): readonly Completion[] {
  const [, ...words] = line.trimStart().split(/\s+/);
  const typed = words.pop() ?? '';
  const { command, option, position } = walkLine(program, words);
  const [, assigned] = /^(--[\w-]+)=/.exec(typed) ?? [];
  const all = () => {
    if (option) return listValues(option, environments);
    if (assigned) {
      const values = listValues(findOption(command, assigned), environments);
      return values.map(({ value }) => toCompletion(`${assigned}=${value}`));
    }
    if (typed.startsWith('-')) return listOptions(command).map(toOptionCompletion);
    const argument = command.registeredArguments[position];
    const takesName = [command, command.parent].some((one) => one?.name() === 'env');
    const names = argument && takesName ? environments.map((name) => toCompletion(name)) : [];
    return [...listVerbs(command), ...names, ...listValues(argument, environments)];
  };
  return all().filter(({ value }) => value.startsWith(typed));
}

function listVerbs(command: Command): readonly Completion[] {
  const verbs = command.createHelp().visibleCommands(command);
  return verbs.map((verb) => toCompletion(verb.name(), verb.summary() || verb.description()));
}

function listValues(owner: Option | Argument | undefined, environments: readonly string[]) {
  if (owner === undefined) return [];
  const name = 'long' in owner ? owner.attributeName() : owner.name();
  const choices = owner.argChoices ?? (/^(env|confirm)$/.test(name) ? environments : []);
  return choices.map((value) => toCompletion(value));
}

function toOptionCompletion({ long, short, description }: Option): Completion {
  return toCompletion(long ?? short ?? '', description);
}

function toCompletion(value: string, meaning = ''): Completion {
  return { value, meaning };
}
