import type { CommandEntry } from '../program/context.ts';

/** Every command, in the order of the help. A new one is a row here and a file beside this one. */
export const commands: readonly CommandEntry[] = [
  { name: 'add', summary: 'add pets', load: () => import('./add/index.ts') },
  {
    name: 'list',
    aliases: ['ls', 'find', 'search'],
    summary: 'find pets',
    load: () => import('./list.ts'),
  },
  { name: 'get', aliases: ['show'], summary: 'show one pet', load: () => import('./get.ts') },
  { name: 'import', summary: 'add a file of pets', load: () => import('./import/index.ts') },
  { name: 'login', summary: 'set up a pet store', load: () => import('./login.ts') },
  { name: 'logout', summary: 'remove a stored key', load: () => import('./logout.ts') },
  { name: 'token', summary: 'print the API key', load: () => import('./token.ts') },
  {
    name: 'env',
    aliases: ['whoami'],
    summary: 'show and choose pet stores',
    load: () => import('./env/index.ts'),
  },
  { name: 'doctor', summary: 'find what is wrong', load: () => import('./doctor/index.ts') },
  {
    name: 'completion',
    summary: 'complete commands on Tab',
    load: () => import('./completion.ts'),
  },
  { name: 'serve', summary: 'run the pet service', load: () => import('./serve.ts') },
  { name: 'keys', summary: 'manage API keys', load: () => import('./keys.ts') },
  { name: 'db', summary: 'look after the database', load: () => import('./db/index.ts') },
];
