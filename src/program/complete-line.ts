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
      return values.map(({ value }) => describe(`${assigned}=${value}`));
    }
    if (typed.startsWith('-')) return listOptions(command).map(describeOption);
    if (command.name() === 'env')
      return [...listVerbs(command), ...environments.map((name) => describe(name))];
    if (command.commands.length > 0) return listVerbs(command);
    const argument = command.registeredArguments[position];
    // The commands of `env` take the name of one.
    if (argument && command.parent?.name() === 'env')
      return environments.map((name) => describe(name));
    return listValues(argument, environments);
  };
  return all().filter(({ value }) => value.startsWith(typed));
}

function listVerbs(command: Command): readonly Completion[] {
  const verbs = command.createHelp().visibleCommands(command);
  return verbs.map((verb) => describe(verb.name(), verb.summary() || verb.description()));
}

function listValues(owner: Option | Argument | undefined, environments: readonly string[]) {
  if (owner === undefined) return [];
  const name = 'long' in owner ? owner.attributeName() : owner.name();
  const choices = owner.argChoices ?? (/^(env|confirm)$/.test(name) ? environments : []);
  return choices.map((value) => describe(value));
}

function describeOption({ long, short, description }: Option): Completion {
  return describe(long ?? short ?? '', description);
}

function describe(value: string, meaning = ''): Completion {
  return { value, meaning };
}
