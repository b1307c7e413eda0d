/**
 * Runs `npm ci && npm test && npm run demo` on every supported Node, or on those given, each in a fresh clone of the last
 * commit. The versions come from the npm packages that hold Node itself: the package `node` leaves its work to an install
 * script, and where those are blocked this computer's own Node would run.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const given = process.argv.slice(2);
const versions = given.length > 0 ? given : ['20.19', '22', '24', '26'];

for (const version of versions) {
  const checkout = mkdtempSync(path.join(tmpdir(), 'petstore-nodes-'));
  try {
    process.stdout.write(`\n=== Node ${version}\n`);
    execFileSync('git', ['clone', '--quiet', '.', checkout]);
    const node = `--package=node-${process.platform}-${process.arch}@${version}`;
    const line = 'node --version && npm ci && npm test && npm run demo';
    execFileSync('npm', ['exec', '--yes', node, '-c', line], { cwd: checkout, stdio: 'inherit' });
  } finally {
    rmSync(checkout, { recursive: true, force: true });
  }
}
