import type { CommandEntry } from '../program/command.ts';

/** Every command, in the order of the help. A new one is a row here and a file beside this one. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'completion',
    summary: 'complete on Tab',
    load: () => import('./completion.ts'),
  },
];
