/** Builds the standalone program for this computer into binary/out: `npm run build:binary`. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import { bundle } from './bundle.ts';
import { renderLicenses } from './licenses.ts';

const root = path.resolve(import.meta.dirname, '..');
const binary = path.join(root, 'binary');
const out = path.join(binary, 'out');

/** The program is its own child for the keychain: config/keychain.ts starts it with the child's file as first word. */
const entry = `
if (process.argv[2]?.endsWith('keychain-child.cjs')) require('./src/config/keychain-child.cjs');
else require('./src/main.ts');
`;

/** Leaves the service out, and names the keychain's addon by a path that Bun finds and embeds. */
const standalone: Plugin = {
  name: 'standalone',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^\.\/(serve|keys|db)(\/index)?\.ts$/ }, ({ importer }) =>
      importer.endsWith(path.join('commands', 'index.ts'))
        ? { path: path.join(binary, 'service-command.ts') }
        : undefined,
    );
    onLoad({ filter: /keychain-child\.cjs$/ }, (args) => {
      const addon = `'keytar/prebuilds/${process.platform}-${process.arch}/keytar.node'`;
      return { contents: readFileSync(args.path, 'utf8').replace(/`keytar\/.*`/, addon) };
    });
  },
};

function compile(file: string): void {
  const architecture = process.arch === 'arm64' ? 'aarch64' : process.arch;
  const bun = `node_modules/@oven/bun-${process.platform}-${architecture}/bin/bun`;
  // Neither .env nor bunfig.toml: the folder it is started in must not send a key elsewhere.
  const settings = ['--no-compile-autoload-dotenv', '--no-compile-autoload-bunfig'];
  execFileSync(
    path.join(binary, bun),
    [
      'build',
      '--compile',
      '--bytecode',
      '--minify',
      ...settings,
      file,
      '--outfile',
      `${out}/petstore`,
    ],
    { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
  );
}

/** The npm package of Bun comes without the licenses of what Bun is made of. */
function readBunLicenses(): string {
  const folder = path.join(binary, 'licenses');
  const files = readdirSync(folder).sort();
  return files.map((file) => readFileSync(path.join(folder, file), 'utf8')).join('\n');
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out);
const { text, metafile } = await bundle({
  stdin: { contents: entry, resolveDir: root },
  external: ['*.node', '@photostructure/sqlite'],
  plugins: [standalone],
});
writeFileSync(path.join(out, 'main.cjs'), text);
compile(path.join(out, 'main.cjs'));
const licenses = renderLicenses(Object.keys(metafile.inputs)) + readBunLicenses();
writeFileSync(path.join(out, 'THIRD-PARTY-LICENSES.txt'), licenses);
