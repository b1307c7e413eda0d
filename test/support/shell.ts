import { builtLine } from './built-program.ts';
import { openRealTerminal } from './real-terminal.ts';
import { createHome } from './run-program.ts';

/** A shell in a real terminal, so that what is left behind after the program can be seen. */
export async function openShell(env: Record<string, string>, columns?: number) {
  const terminal = await openRealTerminal(
    ['sh'],
    { HOME: await createHome(), PS1: '$ ', ...env },
    columns,
  );
  await terminal.type(`petstore() { ${builtLine} "$@"; echo "exit $?"; }`);
  await terminal.press('Enter');
  await terminal.type('clear');
  await terminal.press('Enter');
  return {
    ...terminal,
    async run(line: string) {
      await terminal.type(line);
      await terminal.press('Enter');
    },
  };
}
