// Starts the program with the code that V8 cached in an earlier run, as compiling takes most of a short one. Where
// anything is off, it runs without. Node's own `module.enableCompileCache` takes its place when Node 20 is no longer supported.
const fs = require('node:fs');
const path = require('node:path');
const { Script } = require('node:vm');

/** The words that have a file of cached code: what is typed most. */
const words =
  /^(add|complete|completion|doctor|env|find|get|import|list|login|ls|token|help|--help|-h|--version|-V)$/;

const MONTH_MS = 30 * 24 * 60 * 60 * 1000;

const filename = path.join(__dirname, 'main.cjs');
// Nothing but ASCII: esbuild escapes the rest. Its first line is the hash of what follows.
const source = fs.readFileSync(filename, 'latin1');
const build = source.slice(2, source.indexOf('\n'));
const file = attempt(findFile);
const cached = file && attempt(() => readFile(file));
const script = new Script(source, { filename, cachedData: cached?.code });
const isUsed = cached !== undefined && !script.cachedDataRejected;
// A run that failed has compiled less than the next one needs.
if (file) process.on('exit', (code) => code === 0 && attempt(updateFile));
script.runInThisContext()(exports, require, module, filename, __dirname);

/** The cache is a convenience: whatever fails in it, the program runs without. */
function attempt(run) {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** In the person's own cache folder (XDG Base Directory Specification); none where that is somebody else's, as under sudo. */
function findFile() {
  const word = process.argv.find((one) => words.test(one));
  const { XDG_CACHE_HOME, LOCALAPPDATA, HOME } = process.env;
  const given = XDG_CACHE_HOME || (process.platform === 'win32' && LOCALAPPDATA);
  const cache = given || (HOME && path.join(HOME, '.cache'));
  if (!word || !cache || !path.isAbsolute(cache)) return undefined;
  // One that does not exist yet is as good as the folder that it will be made in.
  const status = fs.statSync(given || HOME, { throwIfNoEntry: false });
  if (!isOwn(status ?? fs.statSync(path.dirname(cache)))) return undefined;
  const name = `${word.replace(/^-+/, '')}-${process.version}-${process.arch}-${build}`;
  return path.join(cache, 'petstore', name);
}

function isOwn(status) {
  return !process.geteuid || status.uid === process.geteuid();
}

/** V8 crashes on damaged code, so the file holds everything twice: comparing costs less than loading a checksum. */
function readFile(name) {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  const descriptor = fs.openSync(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const status = fs.fstatSync(descriptor);
    const isPrivate = !process.geteuid || (status.mode & 0o077) === 0;
    if (!isOwn(status) || !status.isFile() || !isPrivate) return undefined;
    const bytes = fs.readFileSync(descriptor);
    const half = bytes.subarray(0, bytes.length / 2);
    if (!half.equals(bytes.subarray(bytes.length / 2))) return undefined;
    return { code: half.subarray(0, -8), size: half.readDoubleLE(half.length - 8) };
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Writes what this run has compiled, unless the file has as much. */
function updateFile() {
  const v8 = require('node:v8');
  const size = v8.getHeapCodeStatistics().bytecode_and_metadata_size;
  if (isUsed && size < cached.size * 1.05) return;
  // V8 takes code only under the flags it was compiled under: undoes those of client/undici.ts.
  if (process.version.startsWith('v20.'))
    v8.setFlagsFromString('--no-liftoff-only --wasm-tier-up --wasm-dynamic-tiering');
  const number = Buffer.alloc(8);
  number.writeDoubleLE(size);
  const half = Buffer.concat([script.createCachedData(), number]);
  const draft = `${file}.${process.pid}`;
  createFolder(path.dirname(path.dirname(file)));
  createFolder(path.dirname(file));
  try {
    fs.writeFileSync(draft, Buffer.concat([half, half]), { mode: 0o600, flag: 'wx' });
    fs.renameSync(draft, file);
  } catch {
    fs.rmSync(draft, { force: true });
  }
  removeOutdated();
}

/** Not recursively: Node never ends that in a folder such as /proc. */
function createFolder(folder) {
  if (!fs.existsSync(folder)) fs.mkdirSync(folder, { mode: 0o700 });
}

/** What another build wrote a month ago or more; a younger one can still be in use. */
function removeOutdated() {
  const name = path.basename(file);
  const same = name.slice(0, -build.length);
  for (const other of fs.readdirSync(path.dirname(file))) {
    const outdated = path.join(path.dirname(file), other);
    if (!other.startsWith(same) || other === name) continue;
    if (fs.lstatSync(outdated).mtimeMs < Date.now() - MONTH_MS) fs.rmSync(outdated);
  }
}
