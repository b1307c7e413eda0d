import { execFileSync } from 'node:child_process';
import { CommanderError } from 'commander';
import { commands } from '../../src/commands/index.ts';
import { loadProgram } from '../../src/program/build-program.ts';
import { isWindows, isWine } from './system.ts';

/**
 * Every line that an error offers is given to the shell, and what that makes of it to the parser (P8). Called with what any
 * test's petstore wrote to stderr. @throws Error for a line that the program would not understand.
 */
export async function checkNextLines(stderr: string): Promise<void> {
  // Lines for Windows are typed into its cmd.exe by test/windows.
  if (isWindows || isWine) return;
  for (const line of findNextLines(stderr)) {
    const words = execFileSync('sh', ['-c', `printf '%s\\0' ${line}`])
      .toString()
      .split('\0');
    const [program, ...typed] = words.slice(0, -1);
    if (program !== 'petstore') continue;
    const problem = await findProblem(typed);
    if (problem !== undefined) throw new Error(`The line "${line}" is refused: ${problem}`);
  }
}

/** The lines behind `Try:` for people, or the member `try` for scripts. */
function findNextLines(stderr: string): string[] {
  const printed = /^ *Try: {2}(.+(?:\n {6}\S.*)*)/gm;
  const ofPeople = [...stderr.matchAll(printed)].flatMap(([, lines = '']) => lines.split('\n'));
  const ofScripts = [...stderr.matchAll(/^\{.*\}$/gm)].flatMap(([json]) => {
    const { try: lines = [] }: { try?: string[] } = JSON.parse(json);
    return lines;
  });
  return [...ofPeople, ...ofScripts].map((line) => line.trim());
}

async function findProblem(words: readonly string[]): Promise<string | undefined> {
  const program = await loadProgram(commands);
  try {
    await program.parseAsync(words, { from: 'user' });
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isUnderstood = error instanceof CommanderError && error.exitCode === 0;
    return isUnderstood || message === 'This command line is only read.' ? undefined : message;
  }
}
