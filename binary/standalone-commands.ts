import { clientCommands } from '../src/commands/client-commands.ts';
import { UserError } from '../src/errors.ts';
import type { CommandEntry } from '../src/program/command.ts';

/** What the standalone program can do. The commands of the service are known only to say where they are. */
export const standaloneCommands: readonly CommandEntry[] = [
  ...clientCommands,
  ...['serve', 'keys', 'db'].map(createAbsentCommand),
];

function createAbsentCommand(name: string): CommandEntry {
  return {
    name,
    summary: 'In the npm package petstore-cli only',
    isHidden: true,
    load: async () => {
      throw new UserError(
        'cli_usage',
        `petstore ${name} is not in the standalone program: install the npm package petstore-cli`,
      );
    },
  };
}
