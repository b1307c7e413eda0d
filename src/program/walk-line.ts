import type { Command, Option } from 'commander';

export interface Walk {
  readonly command: Command;
  /** The option that still waits for its value. */
  readonly option: Option | undefined;
  /** How many arguments of the command were given. */
  readonly position: number;
  /** Indexes of the words that are neither options nor their values. */
  readonly operands: readonly number[];
}

/** Follows words to the command they lead to. The value of an option is never taken for a command. */
export function walkLine(program: Command, words: readonly string[]): Walk {
  let command = program;
  let option: Option | undefined;
  let position = 0;
  const operands: number[] = [];
  for (const [index, word] of words.entries()) {
    if (option !== undefined) {
      option = undefined;
    } else if (word.startsWith('-') && word !== '-') {
      option = findOption(command, word);
    } else {
      operands.push(index);
      const verb = position === 0 ? findVerb(command, word) : undefined;
      if (verb === undefined) position += 1;
      command = verb ?? command;
    }
  }
  return { command, option, position, operands };
}

export function findVerb(command: Command, word: string | undefined): Command | undefined {
  return command.commands.find((one) =>
    [one.name(), ...one.aliases()].some((name) => name === word),
  );
}

export function findOption(command: Command, name: string): Option | undefined {
  const named = listOptions(command).find(({ long, short }) => name === long || name === short);
  return named?.required ? named : undefined;
}

/** Those of the command and of the program, which are accepted behind it as well. */
export function listOptions(command: Command): readonly Option[] {
  const above = command.parent ? listOptions(command.parent) : [];
  return [...command.options.filter(({ hidden }) => !hidden), ...above];
}
