/**
 * Runs `npm ci && npm test && npm run demo` on every supported Node, each in a fresh clone of the last commit.
 * The versions come from the npm packages that hold Node's own binary for a platform: the package `node`
 * leaves its work to an install script, and where scripts are blocked the machine's own Node would run.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const versions = process.argv.length > 2 ? process.argv.slice(2) : ['20.19', '22', '24', '26'];
const work = mkdtempSync(path.join(tmpdir(), 'petstore-nodes-'));

try {
  for (const version of versions) testOn(version);
} finally {
  rmSync(work, { recursive: true, force: true });
}

function testOn(version: string): void {
  const bin = installNode(version);
  const env = {
    ...process.env,
    PATH: `${bin}${path.delimiter}${process.env.PATH}`,
    PETSTORE_TEST_NODE: version,
  };
  const actual = execFileSync('node', ['--version'], { env, encoding: 'utf8' }).trim();
  if (!`${actual}.`.startsWith(`v${version}.`)) {
    throw new Error(`Asked for Node ${version}, got ${actual}.`);
  }
  const checkout = path.join(work, `checkout-${version}`);
  execFileSync('git', ['clone', '--quiet', '.', checkout]);
  process.stdout.write(`\n=== Node ${actual}\n`);
  for (const step of [['ci'], ['test'], ['run', 'demo']]) {
    execFileSync('npm', step, { cwd: checkout, env, stdio: 'inherit' });
  }
  rmSync(checkout, { recursive: true, force: true });
}

/** Returns the folder that holds `node` of that version. */
function installNode(version: string): string {
  const folder = path.join(work, `node-${version}`);
  const name = `node-${process.platform}-${process.arch}`;
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
  execFileSync('npm', ['install', '--no-save', '--ignore-scripts', `${name}@${version}`], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return path.join(folder, 'node_modules', name, 'bin');
}
