/** Builds the standalone program of this computer into binary/out, or with the word `all` those of all systems. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import { bundle } from './bundle.ts';
import { renderLicenses } from './licenses.ts';

/** A system as Node names it, and the file of its program. */
interface System {
  readonly platform: string;
  readonly arch: string;
  readonly file: string;
}

const systems: readonly System[] = [
  { platform: 'linux', arch: 'x64', file: 'petstore-linux-x64' },
  { platform: 'linux', arch: 'arm64', file: 'petstore-linux-arm64' },
  { platform: 'darwin', arch: 'arm64', file: 'petstore-darwin-arm64' },
  { platform: 'darwin', arch: 'x64', file: 'petstore-darwin-x64' },
  { platform: 'win32', arch: 'x64', file: 'petstore.exe' },
];
const { platform, arch } = process;
const own: System = { platform, arch, file: platform === 'win32' ? 'petstore.exe' : 'petstore' };

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

function compile(main: string, system: System): void {
  const addon = `keytar/prebuilds/${system.platform}-${system.arch}/keytar.node`;
  cpSync(path.join(root, 'node_modules', addon), path.join(out, 'keytar.node'));
  const { name, runtime } = findBun(system);
  // Neither .env nor bunfig.toml: the folder it is started in must not send a key elsewhere.
  const settings = ['--no-compile-autoload-dotenv', '--no-compile-autoload-bunfig'];
  const target = [`--target=${name}`, `--compile-executable-path=${runtime}`];
  const files = [`--asset=${path.basename(licenses)}`, '--outfile', system.file];
  const words = ['build', '--compile', '--bytecode', '--minify', ...settings, ...target, ...files];
  execFileSync(findBun(own).runtime, [...words, main], {
    cwd: out,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (name === 'bun-darwin-x64') removeSignature(path.join(out, system.file));
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

/** Bun has names of its own for the systems. */
function findBun({ platform, arch }: System) {
  const bunPlatform = platform === 'win32' ? 'windows' : platform;
  const bunArch = arch === 'arm64' ? 'aarch64' : arch;
  const folder = `node_modules/@oven/bun-${bunPlatform}-${bunArch}/bin`;
  const file = platform === 'win32' ? 'bun.exe' : 'bun';
  return { name: `bun-${bunPlatform}-${arch}`, runtime: path.join(binary, folder, file) };
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
