import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { writeHttpParser } from '../scripts/bundle/bundle.ts';
import { loadLeanUndici } from '../scripts/bundle/bundle-plugins.ts';
import { cleanEnvironment } from './environment.ts';
import { workFolder } from './work-folder.ts';

/** Prints what one GET responds with, and does nothing else. Arguments: URL. The API key is in PETSTORE_API_KEY. */
const source = `
const { Agent } = require('./scripts/bundle/lean-undici.cjs');
const url = new URL(process.argv[2]);
const headers = { authorization: 'Bearer ' + process.env.PETSTORE_API_KEY };
const agent = new Agent();
const chunks = [];
agent.dispatch({ origin: url.origin, path: url.pathname + url.search, method: 'GET', headers }, {
  onRequestStart() {},
  onResponseStart(_, status) { if (status !== 200) throw new Error(String(status)); },
  onResponseData: (_, chunk) => void chunks.push(chunk),
  onResponseEnd() {
    require('node:fs').writeSync(1, Buffer.concat(chunks));
    agent.destroy(Object.assign(new Error('done'), { stack: '' }));
  },
  onResponseError: (_, error) => { throw error; },
});
`;

/** Runs a script with the code that V8 compiled for it in an earlier run; the first run caches it. */
const loader = `
const fs = require('node:fs');
const { Script } = require('node:vm');
const cache = __dirname + '/app.cache';
const text = fs.readFileSync(__dirname + '/app.js', 'latin1');
const cachedData = fs.existsSync(cache) ? fs.readFileSync(cache) : undefined;
const script = new Script(text, { filename: 'app.js', cachedData });
if (script.cachedDataRejected) throw new Error('The cached code was rejected.');
script.runInThisContext()(require, __filename);
if (cachedData === undefined) process.on('exit', () => {
  // V8 takes code only under the flags it was compiled under, and lean-undici.cjs sets some afterwards.
  require('node:v8').setFlagsFromString('--no-liftoff-only --wasm-tier-up --wasm-dynamic-tiering --semi-space-growth-factor=2');
  fs.writeFileSync(cache, script.createCachedData());
});
`;

/**
 * Builds a program that is undici and nothing else, as petstore bundles it, its code cached: less no client on undici can
 * take. Returns its file.
 * @param url what it will request.
 */
export async function buildUndiciAlone(url: string, key: string): Promise<string> {
  const folder = path.join(workFolder, 'undici-alone');
  const file = path.join(folder, 'main.cjs');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: path.resolve(import.meta.dirname, '..') },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    write: false,
    plugins: [...loadLeanUndici],
  });
  const [app] = outputFiles;
  writeFileSync(path.join(folder, 'app.js'), `(function(require,__filename){${app?.text}\n})`);
  await writeHttpParser(folder);
  writeFileSync(file, loader);
  execFileSync(process.execPath, [file, url], {
    env: cleanEnvironment({ PETSTORE_API_KEY: key }),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return file;
}
