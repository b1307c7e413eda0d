// The standalone program: src/main.ts with itself as the keychain's child.
import { start } from '../src/start.ts';

const CHILD_MARK = '--keychain-child';

if (process.argv[2] === CHILD_MARK) {
  require('../src/config/keys/keychain-child.cjs');
} else {
  const child = { file: process.execPath, args: [CHILD_MARK] };
  await start({ argv: process.argv.slice(2), child, load: () => import('./run.ts') });
}
