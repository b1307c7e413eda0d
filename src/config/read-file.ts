import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { codeOf, messageOf } from '../errors.ts';
import { retryWhileInUseSync } from '../files.ts';

const NOT_FILE = 'it is a pipe, a socket or a device, not a file';

/**
 * Reads a file whole, and never waits: what is not a regular file is refused at once.
 * @param check may refuse the very file that is read, not a name that may point elsewhere a moment later.
 */
export function readRegularFile(file: string, check: (stats: Stats) => void = () => {}): Buffer {
  const descriptor = openAtOnce(file);
  try {
    const stats = fstatSync(descriptor);
    if (stats.isDirectory()) throw new Error('it is a folder');
    if (!stats.isFile()) throw new Error(NOT_FILE);
    check(stats);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Opened in the usual way, a pipe would wait for its other end. Windows has neither such pipes nor this flag. */
function openAtOnce(file: string): number {
  try {
    return retryWhileInUseSync(() =>
      openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)),
    );
  } catch (cause) {
    throw codeOf(cause) === 'ENXIO' ? new Error(NOT_FILE, { cause }) : cause;
  }
}

/** Parses a JSON object as our files have it. @throws Error that quotes nothing of it but names of settings. */
export function parseStoredJson(text: string): unknown {
  const value = parseText(text.replace(/^\uFEFF/, ''));
  // A schema takes an array for an object.
  if (Array.isArray(value)) throw new Error('must be a JSON object');
  return value;
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text, checkMember);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    const offset = /position (\d+)/.exec(messageOf(cause))?.[1];
    const line = text.slice(0, Number(offset ?? text.length)).split('\n').length;
    throw new Error(`it is not valid JSON (line ${line})`, { cause });
  }
}

/** A schema drops such a name in silence, or takes it for a setting that every object has. */
function checkMember(name: string, value: unknown): unknown {
  if (name in {} || name === 'prototype') throw new Error(`${name}: this name cannot be used`);
  if (name !== '' && Array.isArray(value)) throw new Error(`${name}: must not be a list`);
  return value;
}
