import { Command } from 'commander';
import type { Variables } from '../config/variables.ts';
import type { InputStream, OutputStream } from '../terminal/terminal.ts';
import { version } from '../version.ts';
import type { CommandEntry } from './command.ts';
import { listGlobalOptions } from './options.ts';

/** What the program touches of its process; `main` gives the real one. */
export interface Host {
  readonly argv: readonly string[];
  readonly variables: Variables;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}

/** Runs one command line; resolves to its exit code. */
export async function runProgram(commands: readonly CommandEntry[], host: Host): Promise<number> {
  const program = new Command('petstore').version(version, '-V, --version', 'print the version');
  for (const option of listGlobalOptions()) program.addOption(option);
  for (const { name, summary } of commands) program.command(name).summary(summary);
  await program.parseAsync(host.argv, { from: 'user' });
  return 0;
}
