import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { root } from './read-sessions.ts';

it('the demo of the README adds, lists and fetches pets with the built program', () => {
  const shown = execFileSync(process.execPath, ['--import', 'tsx', 'scripts/demo.ts'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 25_000,
  });
  expect(shown).toMatch(/\$ petstore get 1\nID .*\n 1 {2}Goldie /);
});
