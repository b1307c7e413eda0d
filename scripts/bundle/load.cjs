// The built program's loader, beside the packed chunks: it runs a chunk by its name and keeps V8's compiled code of the
// packs between runs, without which `list` took 20 ms more of 60 and `--help` 5 of 40.
// Plain CommonJS without a package: it runs before everything else.
const fs = require('node:fs');
const path = require('node:path');
const { Script } = require('node:vm');

/** Imported by many, used by few: loaded when something of them is used. Together they take 6 ms. */
const late = new Set(['node:crypto', 'node:fs/promises', 'node:timers/promises', 'node:os']);

const MONTH_MS = 30 * 24 * 60 * 60 * 1000;

const parts = {};
const loaded = new Map();
const packs = [];
const folder = findFolder(process.env);

/** What every run needs, and what the commands need that are typed most: those not loaded yet. */
const later = ['chunks/always.pack', 'chunks/often.pack'];

function load(name) {
  const known = loaded.get(name);
  if (known) return known.exports;
  while (!parts[name]) addParts(later.shift());
  const module = { exports: {} };
  loaded.set(name, module);
  parts[name](module, module.exports, requirePart, __filename);
  return module.exports;
}

function requirePart(name) {
  if (late.has(name)) return new Proxy({}, { get: (_, key) => require(name)[key] });
  if (name[0] !== '.') return require(name);
  const chunk = name.slice(name.lastIndexOf('/') + 1);
  return parts[chunk] ? load(chunk) : require(`./chunks/${chunk}`);
}

/** A pack is a script whose value is an object of functions, one for each chunk; its first line is its hash. */
function addParts(name) {
  const filename = path.join(__dirname, name);
  const source = fs.readFileSync(filename, 'latin1');
  const [, hash] = /^\/\/ (\w+)/.exec(source);
  const file = folder && path.join(folder, describeKept(name, hash));
  const kept = file && readKept(file);
  const script = new Script(source, { filename, cachedData: kept?.code });
  const isKept = kept !== undefined && !script.cachedDataRejected;
  if (file && packs.length === 0) process.on('exit', keepPacks);
  packs.push({ script, file, run: new Set(isKept ? kept.run : []) });
  Object.assign(parts, script.runInThisContext());
}

/** V8 refuses code of another version of itself, but takes the source on trust but for its length: hence the hash. */
function describeKept(name, hash) {
  return `${path.basename(name)}-${process.version}-${process.arch}-${hash}`;
}

/** In the user's own cache (XDG Base Directory Specification); none without a home, or if Node is told to keep none. */
function findFolder({ NODE_DISABLE_COMPILE_CACHE, XDG_CACHE_HOME, LOCALAPPDATA, HOME }) {
  if (NODE_DISABLE_COMPILE_CACHE) return undefined;
  if (process.platform === 'win32') return LOCALAPPDATA && path.join(LOCALAPPDATA, 'petstore/code');
  if (XDG_CACHE_HOME && path.isAbsolute(XDG_CACHE_HOME))
    return path.join(XDG_CACHE_HOME, 'petstore');
  return HOME && path.join(HOME, '.cache/petstore');
}

/** Code runs with the rights of who starts the program, so only that user's own file is taken: sudo may keep HOME. */
function readKept(file) {
  let descriptor;
  try {
    descriptor = fs.openSync(file, 'r');
    const { uid, mode } = fs.fstatSync(descriptor);
    const isOwn = !process.geteuid || (uid === process.geteuid() && (mode & 0o022) === 0);
    return isOwn ? parseKept(fs.readFileSync(descriptor)) : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

/** A line with the names of the chunks that had run when the code was kept, then the code. */
function parseKept(bytes) {
  const end = bytes.indexOf('\n');
  return { run: bytes.latin1Slice(0, end).split(' '), code: bytes.subarray(end + 1) };
}

/**
 * Writes the code of all packs, with the functions that this run has compiled beside those that were kept: unless it
 * ran no chunk that had not run before, as nearly always.
 */
function keepPacks() {
  const names = [...loaded.keys()];
  if (packs.every(({ run }) => names.every((name) => run.has(name)))) return;
  // The service's writer thread needs less, and would keep less.
  if (!require('node:worker_threads').isMainThread) return;
  // V8 takes code only under the flags it was made under, and the HTTP client sets one after the packs are loaded.
  require('node:v8').setFlagsFromString('--no-liftoff-only --wasm-tier-up --wasm-dynamic-tiering');
  try {
    makeFolder(path.dirname(folder));
    makeFolder(folder);
    for (const { script, file, run } of packs) {
      const line = `${[...new Set([...run, ...names])].join(' ')}\n`;
      keepCode(file, Buffer.concat([Buffer.from(line), script.createCachedData()]));
    }
  } catch {
    // Read-only, full, or another run at the same work: this run has done its own by now, and the next can do without.
  }
}

/** Not its parents: a home that is not there, as those of system users, is not ours to make. */
function makeFolder(name) {
  if (!fs.existsSync(name)) fs.mkdirSync(name, { mode: 0o700 });
}

function keepCode(file, bytes) {
  const draft = `${file}.${process.pid}`;
  try {
    // Flushed before it gets its name: V8 does not look whether code is damaged.
    fs.writeFileSync(draft, bytes, { mode: 0o600, flag: 'wx', flush: true });
    fs.renameSync(draft, file);
  } catch (error) {
    fs.rmSync(draft, { force: true });
    throw error;
  }
  removeOutdated(file);
}

/** Removes what other builds kept for the same Node a month ago and more; a younger one may still be in use beside this. */
function removeOutdated(kept) {
  const name = path.basename(kept);
  const same = name.slice(0, name.lastIndexOf('-') + 1);
  const others = fs.readdirSync(folder).filter((other) => other.startsWith(same) && other !== name);
  for (const other of others.map((one) => path.join(folder, one))) {
    if (fs.statSync(other).mtimeMs < Date.now() - MONTH_MS) fs.rmSync(other, { force: true });
  }
}

module.exports = load;
