/** Builds the standalone program of this computer into binary/out, or with the word `all` those of all systems. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import { bundle } from './bundle.ts';
import { renderLicenses } from './licenses.ts';

/** What Node and Bun call each system, and the file of its program. */
const systems = [
  { node: 'linux-x64', bun: 'linux-x64', file: 'petstore-linux-x64' },
  { node: 'linux-arm64', bun: 'linux-aarch64', file: 'petstore-linux-arm64' },
  { node: 'darwin-arm64', bun: 'darwin-aarch64', file: 'petstore-darwin-arm64' },
  { node: 'darwin-x64', bun: 'darwin-x64', file: 'petstore-darwin-x64' },
  { node: 'win32-x64', bun: 'windows-x64', file: 'petstore.exe' },
];
type System = (typeof systems)[number];

/** This computer, whose program alone is called petstore. */
const own = findOwn();

const root = path.resolve(import.meta.dirname, '..');
const binary = path.join(root, 'binary');
const out = path.join(binary, 'out');
const licenses = path.join(out, 'THIRD-PARTY-LICENSES.txt');

/** The program is its own child for the keychain: config/keychain.ts starts it with the child's file as first word. */
const entry = `
if (process.argv[2]?.endsWith('keychain-child.cjs')) require('./src/config/keychain-child.cjs');
else require('./src/main.ts');
`;

/** Leaves the service out, and loads the keychain's addon as a standalone program can. */
const standalone: Plugin = {
  name: 'standalone',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^\.\/(serve|keys|db)(\/index)?\.ts$/ }, ({ importer }) =>
      importer.endsWith(path.join('commands', 'index.ts'))
        ? { path: path.join(binary, 'service-command.ts') }
        : undefined,
    );
    onLoad({ filter: /keychain-child\.cjs$/ }, (args) => {
      const load = "require('../../binary/load-addon.cjs').loadAddon()";
      return { contents: readFileSync(args.path, 'utf8').replace(/require\(`keytar.*`\)/, load) };
    });
  },
};

/** Writes what all systems share, and returns the file to compile. */
async function prepare(): Promise<string> {
  const { text, metafile } = await bundle({
    stdin: { contents: entry, resolveDir: root },
    external: ['*.node', '@photostructure/sqlite'],
    // Embedded files lie in the folder of the program that Bun names, not where it was built.
    banner: { js: 'const folder = require("node:path").dirname(process.argv[1]);' },
    define: { 'import.meta.dirname': 'folder' },
    plugins: [standalone],
  });
  writeFileSync(licenses, renderLicenses(Object.keys(metafile.inputs)) + readBunLicenses());
  writeFileSync(path.join(out, 'main.cjs'), text);
  return path.join(out, 'main.cjs');
}

/** The npm package of Bun comes without the licenses of what Bun is made of. */
function readBunLicenses(): string {
  const folder = path.join(binary, 'licenses');
  const files = readdirSync(folder).sort();
  return files.map((file) => readFileSync(path.join(folder, file), 'utf8')).join('\n');
}

function compile(main: string, { node, bun, file }: System): void {
  const addon = `node_modules/keytar/prebuilds/${node}/keytar.node`;
  cpSync(path.join(root, addon), path.join(out, 'keytar.node'));
  // Neither .env nor bunfig.toml: the folder it is started in must not send a key elsewhere.
  const settings = ['--no-compile-autoload-dotenv', '--no-compile-autoload-bunfig'];
  const target = [`--target=bun-${bun}`, `--compile-executable-path=${findBun(bun)}`];
  const files = [`--asset=${path.basename(licenses)}`, '--outfile', file];
  const words = ['build', '--compile', '--bytecode', '--minify', ...settings, ...target, ...files];
  execFileSync(findBun(own.bun), [...words, main], {
    cwd: out,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (bun === 'darwin-x64') removeSignature(path.join(out, file));
}

/** Its runtime for a system: the compiler, and what it puts the program into. */
function findBun(bun: string): string {
  const file = bun.startsWith('windows') ? 'bun.exe' : 'bun';
  return path.join(binary, `node_modules/@oven/bun-${bun}/bin`, file);
}

/**
 * Bun signs anew for arm64 alone. For x64 it leaves the signature of its own runtime, which no longer fits, and by which macOS
 * would end the program; without one it runs there. The signature is the last load command of the Mach-O header.
 */
function removeSignature(file: string): void {
  const bytes = readFileSync(file);
  const [count, size] = [bytes.readUInt32LE(16), bytes.readUInt32LE(20)];
  const last = 32 + size - 16;
  if (bytes.readUInt32LE(last) !== 0x1d) throw new Error(`${file} does not end in a signature.`);
  bytes.writeUInt32LE(count - 1, 16);
  bytes.writeUInt32LE(size - 16, 20);
  bytes.fill(0, last, last + 16);
  writeFileSync(file, bytes);
}

function findOwn(): System {
  const name = `${process.platform}-${process.arch}`;
  const system = systems.find(({ node }) => node === name);
  if (system === undefined) throw new Error(`There is no standalone program for ${name}.`);
  return { ...system, file: process.platform === 'win32' ? 'petstore.exe' : 'petstore' };
}

function formatSum({ file }: System): string {
  const sum = createHash('sha256').update(readFileSync(path.join(out, file)));
  return `${sum.digest('hex')}  ${file}\n`;
}

const wanted = process.argv[2] === 'all' ? systems : [own];
rmSync(out, { recursive: true, force: true });
mkdirSync(out);
const main = await prepare();
for (const system of wanted) compile(main, system);
for (const name of ['main.cjs', 'keytar.node']) rmSync(path.join(out, name));
writeFileSync(path.join(out, 'SHA256SUMS'), wanted.map(formatSum).join(''));
