import path from 'node:path';
import { start } from './start.ts';

/** Beside this file in the bundle; the child in the sources, too. */
const find = (name: string) => path.join(import.meta.dirname, name);

// No top-level await: the bundle is CommonJS, which loads faster.
void start({
  argv: process.argv.slice(2),
  child: { file: process.execPath, args: [find('config/keys/keychain-child.cjs')] },
  helpFile: find('help.txt'),
  load: () => import('./run.ts'),
});
