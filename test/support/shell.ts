import { builtLine } from './built-program.ts';
import { createHome } from './run-program.ts';
import { openScreen } from './screen.ts';

/** A shell in a real terminal, so that what is left behind after the program can be seen. */
export async function openShell(env: Record<string, string>) {
  const screen = await openScreen(['sh'], { HOME: await createHome(), PS1: '$ ', ...env });
  await screen.type(`petstore() { ${builtLine} "$@"; echo "exit $?"; }`);
  await screen.press('Enter');
  await screen.type('clear');
  await screen.press('Enter');
  return {
    ...screen,
    async run(line: string) {
      await screen.type(line);
      await screen.press('Enter');
    },
  };
}
