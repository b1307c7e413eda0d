// The built program's loader, beside the packed chunks: it runs a chunk by its name, with a compile cache of the packs,
// since compiling takes a large part of a short run (bench/README.md).
// Plain CommonJS without a package: it is not bundled, and runs before the chunks do.
const fs = require('node:fs');
const path = require('node:path');
const { Script } = require('node:vm');

/** Imported by many, used by few, and slow to load: loaded when something of them is used. */
const late = new Set([
  'node:crypto',
  'node:fs/promises',
  'node:os',
  'node:timers/promises',
  'node:zlib',
]);

/** CPU time. */
const LONG_RUN_US = 2_000_000;

const MONTH_MS = 30 * 24 * 60 * 60 * 1000;
const USING = 'using-';

const parts = {};
const loaded = new Map();
const packs = [];
let memory = Buffer.alloc(0);
const folder = findFolder(process.env);
const isUsable = folder !== undefined && enterFolder();

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
  if (name === '../load.cjs') return load;
  return require(`./chunks/${name.slice(name.lastIndexOf('/') + 1)}`);
}

requirePart.resolve = require.resolve;

/** A pack is a script whose value is an object of functions, one for each chunk; its first line is its hash. */
function addParts(name) {
  const filename = path.join(__dirname, name);
  const source = readFile(filename, (descriptor, { size }) =>
    readBytes(descriptor, size).latin1Slice(),
  );
  const [, hash] = /^\/\/ (\w+)/.exec(source);
  const file = folder && path.join(folder, `${path.basename(name)}-${describeNode()}-${hash}`);
  const cached = isUsable ? readCached(file, hash) : undefined;
  const script = new Script(source, { filename, cachedData: cached?.code });
  const isCached = cached !== undefined && !script.cachedDataRejected;
  if (file && packs.length === 0) process.on('exit', updateCache);
  packs.push({ script, file, hash, isCached, run: new Set(isCached ? cached.run : []) });
  Object.assign(parts, script.runInThisContext());
  // Not held for as long as a service runs.
  if (later.length === 0) memory = Buffer.alloc(0);
}

function describeNode() {
  return `${process.version}-${process.arch}`;
}

/** In the user's own cache (XDG Base Directory Specification); none without a home, or if Node is told to have none. */
function findFolder({ NODE_DISABLE_COMPILE_CACHE, XDG_CACHE_HOME, LOCALAPPDATA, HOME }) {
  if (NODE_DISABLE_COMPILE_CACHE) return undefined;
  if (process.platform === 'win32') return LOCALAPPDATA && path.join(LOCALAPPDATA, 'petstore/code');
  if (XDG_CACHE_HOME && path.isAbsolute(XDG_CACHE_HOME))
    return path.join(XDG_CACHE_HOME, 'petstore');
  return HOME && path.join(HOME, '.cache/petstore');
}

/**
 * Marks this process as one that runs cached code until its end. A mark that outlives its process means that the run
 * crashed or was killed; the code it used is removed then. Returns whether cached code may be used.
 */
function enterFolder() {
  const mark = path.join(folder, `${USING}${process.pid}`);
  try {
    const names = fs.readdirSync(folder);
    const stale = names.filter((name) => name.startsWith(USING) && removeStale(name));
    if (stale.length > 0) removeAll(names.filter((name) => name.includes('.pack-')));
    fs.closeSync(fs.openSync(mark, 'wx', 0o600));
    process.on('exit', () => removeMark(mark));
    return true;
  } catch (error) {
    // The mark of this process exists in the service's writer thread, which shares it. What cannot be marked is not used.
    return error.code === 'EEXIST';
  }
}

/** Removes the mark of a process that is gone. Returns false if it was removed in time by the process itself. */
function removeStale(name) {
  const pid = Number(name.slice(USING.length));
  const isInUse = pid === process.pid ? !isMainThread() : isRunning(pid);
  return !isInUse && removeMark(path.join(folder, name));
}

/** Returns whether there was one. */
function removeMark(mark) {
  try {
    // Not rmSync, which is slow to load.
    fs.unlinkSync(mark);
    return true;
  } catch {
    return false;
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

/** Loaded only when needed, for speed. */
function isMainThread() {
  return require('node:worker_threads').isMainThread;
}

/** Reads a file's bytes by a function that is given its descriptor and its status. */
function readFile(file, read, flags = fs.constants.O_RDONLY) {
  const descriptor = fs.openSync(file, flags);
  try {
    return read(descriptor, fs.fstatSync(descriptor));
  } finally {
    fs.closeSync(descriptor);
  }
}

/** The next bytes of a file, in memory that the next call uses again: what was never used before is slow to touch. */
function readBytes(descriptor, size) {
  if (memory.length < size) memory = Buffer.allocUnsafeSlow(size);
  const bytes = memory.subarray(0, size);
  for (let at = 0; at < size; ) {
    const read = fs.readSync(descriptor, bytes, at, size - at);
    if (read === 0) throw new Error('The file was truncated.');
    at += read;
  }
  return bytes;
}

/**
 * Code runs with the rights of who starts the program, so only that user's own regular file is used: sudo may keep HOME.
 * Opening must neither wait for a FIFO's writer nor follow a link.
 */
function readCached(file, hash) {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  const parse = (descriptor, status) => {
    const isOwn =
      !process.geteuid || (status.uid === process.geteuid() && (status.mode & 0o022) === 0);
    return isOwn && status.isFile() ? parseCached(descriptor, status.size, hash) : undefined;
  };
  try {
    return readFile(file, parse, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    return undefined;
  }
}

/**
 * A file holds the same three parts twice: a line with the code's origin, a line with the names of the chunks that had
 * run, and the code. V8 does not check code for damage and may crash on it, so it is used only when both copies are
 * equal. The copy serves as the checksum, since comparing memory is one fast call: to compute a checksum, zlib or
 * node:crypto would have to be loaded, and a loop in JavaScript would run before it is optimized.
 */
function parseCached(descriptor, size, hash) {
  if (size % 2 !== 0) return undefined;
  const half = readBytes(descriptor, size / 2);
  const origin = describeOrigin(hash);
  if (half.latin1Slice(0, origin.length) !== origin || !isNext(descriptor, half)) return undefined;
  const end = half.indexOf('\n', origin.length);
  const run = half.latin1Slice(origin.length, end).trimEnd().split(' ');
  return { run, code: half.subarray(end + 1) };
}

/** Whether a file goes on with these bytes, piece by piece, as memory for all of them is slow to touch. */
function isNext(descriptor, bytes) {
  const piece = Buffer.allocUnsafeSlow(64 * 1024);
  for (let at = 0; at < bytes.length; ) {
    const read = fs.readSync(descriptor, piece, 0, Math.min(piece.length, bytes.length - at));
    if (read === 0 || piece.compare(bytes, at, at + read, 0, read) !== 0) return false;
    at += read;
  }
  return true;
}

function formatCached({ script, hash, run }, names) {
  const head = `${describeOrigin(hash)}${[...new Set([...run, ...names])].join(' ')}`;
  // V8 copies code that does not start where a word of memory does.
  const padded = head.padEnd(Math.ceil((head.length + 1) / 8) * 8 - 1);
  const half = Buffer.concat([Buffer.from(`${padded}\n`), script.createCachedData()]);
  return Buffer.concat([half, half]);
}

/** What this code was compiled from and by: two builds of one Node version may hold different versions of V8. */
function describeOrigin(hash) {
  return `${[hash, describeNode(), ...Object.values(process.versions)].join(' ')}\n`;
}

/**
 * Writes the code of the packs, with the functions that this run has compiled and those that were cached: unless it
 * ran no chunk that had not run before, as nearly always. Of a long run V8 has dropped what ran only at its start, so that
 * one writes only what is not cached at all, for the next short run to complete.
 */
function updateCache() {
  const { user, system } = process.cpuUsage();
  const names = user + system > LONG_RUN_US ? [] : [...loaded.keys()];
  const isCurrent = ({ isCached, run }) => isCached && names.every((name) => run.has(name));
  const outdated = packs.filter((pack) => !isCurrent(pack));
  if (outdated.length === 0) return;
  // The service's writer thread needs less, and would cache less.
  if (!isMainThread()) return;
  // V8 takes code only under the flags it was compiled under, and the HTTP client sets some after the packs are loaded.
  require('node:v8').setFlagsFromString(
    '--no-liftoff-only --wasm-tier-up --wasm-dynamic-tiering --semi-space-growth-factor=2',
  );
  try {
    createFolder(path.dirname(folder));
    createFolder(folder);
    for (const pack of outdated) writeCached(pack.file, formatCached(pack, names));
  } catch {
    // Read-only, full, or another run doing the same: this run is done by now, and the next can do without.
  }
}

/** Not its parents: a home that does not exist, as those of system users, is not ours to create. */
function createFolder(name) {
  if (!fs.existsSync(name)) fs.mkdirSync(name, { mode: 0o700 });
}

function writeCached(file, bytes) {
  const draft = `${file}.${process.pid}`;
  try {
    // Flushed before it gets its name, so that a power cut does not leave half of it.
    fs.writeFileSync(draft, bytes, { mode: 0o600, flag: 'wx', flush: true });
    if (fs.lstatSync(file, { throwIfNoEntry: false })?.isDirectory()) removeAll([file]);
    fs.renameSync(draft, file);
  } catch (error) {
    fs.rmSync(draft, { force: true });
    throw error;
  }
  removeOutdated(path.basename(file));
}

/** Removes what other builds cached for the same Node a month ago and more; a younger one may still be in use. */
function removeOutdated(current) {
  const same = current.slice(0, current.lastIndexOf('-') + 1);
  const others = fs.readdirSync(folder).filter((name) => name.startsWith(same) && name !== current);
  const limit = Date.now() - MONTH_MS;
  removeAll(others.filter((name) => fs.lstatSync(path.join(folder, name)).mtimeMs < limit));
}

/** Folders, too, which stand in the place of files. */
function removeAll(names) {
  for (const name of names) fs.rmSync(path.resolve(folder, name), { recursive: true, force: true });
}

module.exports = load;
