import type { CommandNode, OptionNode, ProgramNode } from '../../program/command-tree.ts';

/** A place in the command line: the commands named so far. */
export interface Place {
  /** Joined by blanks: `petstore env use`. */
  path: string;
  node: CommandNode;
}

/** Every place there is, the program itself first. */
export function listPlaces(program: ProgramNode): Place[] {
  return listBelow(program, program.name);
}

function listBelow(node: CommandNode, path: string): Place[] {
  const below = node.commands.flatMap((verb) => listBelow(verb, `${path} ${verb.name}`));
  return [{ path, node }, ...below];
}

/** Every way to write an option. */
export function namesOf({ long, short }: OptionNode): string[] {
  return short === undefined ? [long] : [short, long];
}

/** The options that take the next word, by all their names: it must not be read as a command. */
export function listValueFlags(program: ProgramNode): string[] {
  const own = listPlaces(program).flatMap(({ node }) => node.options);
  const names = [...program.globalOptions, ...own].filter(({ value }) => value).flatMap(namesOf);
  return [...new Set(names)];
}
