import { commands } from '../src/commands/index.ts';
import { UserError } from '../src/errors.ts';
import type { CommandEntry } from '../src/program/command.ts';

const absent = ['serve', 'keys', 'db'];

/** What the standalone program can do. The commands of the service are known only to say where they are. */
export const standaloneCommands: readonly CommandEntry[] = commands.map((entry) =>
  absent.includes(entry.name) ? createAbsentCommand(entry.name) : entry,
);

function createAbsentCommand(name: string): CommandEntry {
  return {
    name,
    summary: 'In the npm package petstore-cli only',
    isHidden: true,
    load: async () => {
      throw new UserError(
        'cli_usage',
        `petstore ${name} is not in the standalone program: install the package petstore-cli from its tarball`,
      );
    },
  };
}
