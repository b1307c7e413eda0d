import type { Help, HelpCommand } from '../../contract/outputs/help.ts';
import { topicNames } from '../../program/command.ts';
import type {
  ArgumentNode,
  CommandNode,
  OptionNode,
  ProgramNode,
} from '../../program/command-tree.ts';
import { version } from '../../version.ts';
import { exitMeanings } from './exit-meanings.ts';

/** Everything that can be typed, for programs that call this one. */
export function describeHelp(program: ProgramNode): Help {
  return {
    version,
    commands: listCommands(program, program.name),
    globalOptions: program.globalOptions.map(describeOption),
    topics: [...topicNames],
    exitCodes: Object.entries(exitMeanings).map(([code, meaning]) => ({
      exitCode: Number(code),
      meaning,
    })),
  };
}

/** Undefined for words that are not a command. */
export function findHelpCommand(
  program: ProgramNode,
  words: readonly string[],
): HelpCommand | undefined {
  let node: CommandNode | undefined = program;
  let path = program.name;
  for (const word of words) {
    node = node?.commands.find(({ name, aliases }) => name === word || aliases.includes(word));
    path += ` ${node?.name}`;
  }
  return node && describeCommand(node, path);
}

function listCommands({ commands }: CommandNode, path: string): HelpCommand[] {
  return commands.flatMap((node) => {
    const command = `${path} ${node.name}`;
    return [describeCommand(node, command), ...listCommands(node, command)];
  });
}

function describeCommand(node: CommandNode, command: string): HelpCommand {
  const { aliases, summary, description, help } = node;
  const likely = help?.exitCodes?.match(/\d+/g) ?? [];
  return {
    command,
    aliases: [...aliases],
    summary,
    description,
    arguments: node.arguments.map(describeArgument),
    options: node.options.map(describeOption),
    commands: node.commands.map(({ name }) => name),
    examples: [...(help?.examples ?? [])],
    exitCodes: help === undefined ? [] : [0, 1, 2, ...likely.map(Number)],
  };
}

function describeArgument({ usage, description, value }: ArgumentNode) {
  const required = usage.startsWith('<');
  return { usage, description, required, choices: [...value.choices] };
}

function describeOption({ long, short, flags, description, value }: OptionNode) {
  const choices = [...(value?.choices ?? [])];
  const takesValue = value !== undefined;
  return { long, short: short ?? null, flags, description, takesValue, choices };
}
