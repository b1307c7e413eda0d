import { type CommandEntry, topicNames } from '../program/command.ts';

/** Everything that can be typed after `petstore`, in the order of the help; the last three run the service itself. */
export const commands: readonly CommandEntry[] = [
  { name: 'list', alias: 'ls', summary: 'List pets', load: () => import('./list/index.ts') },
  { name: 'add', summary: 'Add a pet', load: () => import('./add/index.ts') },
  { name: 'get', summary: 'Show one pet by its id', load: () => import('./get/index.ts') },
  { name: 'import', summary: 'Add a whole file of pets', load: () => import('./import/index.ts') },
  {
    name: 'history',
    summary: 'See what was added from this machine, settle what is unknown',
    load: () => import('./history/index.ts'),
  },
  {
    name: 'auth',
    summary: 'Store, check and remove API keys',
    load: () => import('./auth/index.ts'),
  },
  {
    name: 'env',
    alias: 'environments',
    summary: 'See, choose and change environments',
    load: () => import('./env/index.ts'),
  },
  {
    name: 'doctor',
    summary: 'Check this machine and say what to do',
    load: () => import('./doctor/index.ts'),
  },
  {
    name: 'completion',
    summary: 'Complete words when Tab is pressed',
    load: () => import('./completion/index.ts'),
  },
  {
    name: 'help',
    summary: `Explain a command or a topic: ${topicNames.join(', ')}`,
    load: () => import('./help/index.ts'),
  },
  { name: 'serve', summary: 'Run the v1 service', load: () => import('./serve/index.ts') },
  {
    name: 'keys',
    summary: 'Create, list, rotate and revoke the service’s API keys',
    load: () => import('./keys/index.ts'),
  },
  {
    name: 'db',
    summary: 'Copy, back up, check and audit the service’s data',
    load: () => import('./db/index.ts'),
  },
];
