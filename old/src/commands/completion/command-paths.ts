import type { CommandNode, OptionNode, ProgramNode } from '../../program/command-tree.ts';

/** A command and the words that lead to it. */
export interface CommandPath {
  /** Joined by blanks: `petstore env use`. */
  path: string;
  node: CommandNode;
}

/** Every command, the program itself first. */
export function listCommandPaths(program: ProgramNode): CommandPath[] {
  return listFrom(program, program.name);
}

function listFrom(node: CommandNode, path: string): CommandPath[] {
  const below = node.commands.flatMap((verb) => listFrom(verb, `${path} ${verb.name}`));
  return [{ path, node }, ...below];
}

/** The short and the long name of an option. */
export function listNames({ long, short }: OptionNode): string[] {
  return short === undefined ? [long] : [short, long];
}

/** The options that take the next word, by all their names: it must not be read as a command. */
export function listValueFlags(program: ProgramNode): string[] {
  const own = listCommandPaths(program).flatMap(({ node }) => node.options);
  const names = [...program.globalOptions, ...own].filter(({ value }) => value).flatMap(listNames);
  return [...new Set(names)];
}
