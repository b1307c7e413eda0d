import { builtLine } from './built-program.ts';
import { openRealTerminal, type RealTerminal } from './real-terminal.ts';
import { createHome } from './run-program.ts';

const PROMPT = 'ready>';
const atPrompt = new RegExp(`(?:^|\\n)${PROMPT}$`);
const afterPrompt = new RegExp(`(?<!(?:^|\\n)${PROMPT})$`);

/** A shell in a real terminal, so that what is left behind after the program can be seen. */
export interface Shell extends RealTerminal {
  /** Has the shell run a line, once the one before has ended. */
  run(line: string): Promise<void>;
  /** Types a line to the program that runs. */
  answer(line: string): Promise<void>;
  /** Has the shell clear the terminal, wherever its prompt stands. */
  clear(): Promise<void>;
}

/**
 * A shell whose `petstore` says how it ended.
 * @param options.program what starts petstore with the words "$@".
 */
export async function openShell(
  env: Record<string, string>,
  { columns, program = `${builtLine} "$@"` }: { columns?: number; program?: string } = {},
): Promise<Shell> {
  const home = env.HOME ?? (await createHome());
  const terminal = await openRealTerminal(['sh'], { ...env, HOME: home }, columns);
  const answer = async (line: string) => {
    await terminal.type(line);
    await terminal.press('Enter');
  };
  const run = async (line: string) => {
    // What is typed before the prompt is shown before it.
    await terminal.waitForText(atPrompt);
    await terminal.type(line);
    // Else the next line would take this prompt for its own.
    await terminal.waitForText(afterPrompt);
    await terminal.press('Enter');
  };
  await answer(`PS1='${PROMPT} '; petstore() { ${program}; echo "exit $?"; }; clear`);
  const clear = async () => {
    await answer('clear');
    await terminal.waitForText(new RegExp(`^${PROMPT}$`));
  };
  return { ...terminal, run, answer, clear };
}
