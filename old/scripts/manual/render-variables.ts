import { environmentVariables } from '../../src/config/variables.ts';

/** The README's table of environment variables. */
export function renderVariables(): string {
  const rows = Object.values(environmentVariables).map(
    ({ name, meaning }) => `| \`${name}\` | ${meaning.replace(/--[a-z-]+/g, '`$&`')} |\n`,
  );
  return `| variable | meaning |\n|---|---|\n${rows.join('')}`;
}
