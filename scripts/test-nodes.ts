/**
 * Runs `npm ci && npm test && npm run demo` on every supported Node, or on those given, each in a fresh clone of the last
 * commit. The versions come from the npm packages that hold Node itself: the package `node` leaves its work to an install
 * script, and where those are blocked this computer's own Node would run.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const versions = process.argv.length > 2 ? process.argv.slice(2) : ['20.19', '22', '24', '26'];
const work = mkdtempSync(path.join(tmpdir(), 'petstore-nodes-'));

function testOn(version: string): void {
  const PATH = `${installNode(version)}${path.delimiter}${process.env.PATH}`;
  const env = { ...process.env, PATH };
  const actual = execFileSync('node', ['--version'], { env, encoding: 'utf8' }).trim();
  if (!`${actual}.`.startsWith(`v${version}.`))
    throw new Error(`Asked for Node ${version}, got ${actual}.`);
  process.stdout.write(`\n=== Node ${actual}\n`);
  const checkout = path.join(work, `checkout-${version}`);
  execFileSync('git', ['clone', '--quiet', '.', checkout]);
  for (const step of [['ci'], ['test'], ['run', 'demo']])
    execFileSync('npm', step, { cwd: checkout, env, stdio: 'inherit' });
  rmSync(checkout, { recursive: true, force: true });
}

/** Returns the folder of `node` itself. */
function installNode(version: string): string {
  const folder = path.join(work, `node-${version}`);
  const name = `node-${process.platform}-${process.arch}`;
  mkdirSync(folder);
  const install = ['install', '--no-save', '--ignore-scripts', '--prefix', folder];
  execFileSync('npm', [...install, `${name}@${version}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return path.join(folder, 'node_modules', name, 'bin');
}

try {
  for (const version of versions) testOn(version);
} finally {
  rmSync(work, { recursive: true, force: true });
}
