import { environmentVariables } from '../../config/variables.ts';

/** The environment variables and what they mean, one per line. */
export function describeVariables(): string {
  const rows = Object.values(environmentVariables);
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(({ name, meaning }) => `  ${name.padEnd(width)}  ${meaning}`);
  return `Environment variables\n\n${lines.join('\n')}\n`;
}
