import type { CommandEntry } from '../program/command.ts';
import { clientCommands } from './client-commands.ts';

/** Everything that can be typed after `petstore`, in the order of the help. */
export const commands: readonly CommandEntry[] = [
  ...clientCommands,
  { name: 'serve', summary: 'Run the v1 service', load: () => import('./serve/index.ts') },
  {
    name: 'keys',
    summary: 'Create, list and revoke the service’s API keys',
    load: () => import('./keys/index.ts'),
  },
  {
    name: 'db',
    summary: 'Copy the service’s data to another database',
    load: () => import('./db/index.ts'),
  },
];
