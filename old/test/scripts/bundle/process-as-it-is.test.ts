import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { builtProgram } from '../../support/built-program.ts';
import { makeFolder } from '../../support/make-folder.ts';

/** Loaded before the program: fails when the title of the process is read, as a member of the module too. */
const setup = `
const Module = require('node:module');
const load = Module._load;
const fail = (_, key) => {
  if (key === 'title') throw new Error('The title was read.');
};
const traps = {
  get: (...words) => fail(...words) ?? Reflect.get(...words),
  getOwnPropertyDescriptor: (...words) =>
    fail(...words) ?? Reflect.getOwnPropertyDescriptor(...words),
};
Module._load = (name, ...words) => {
  const loaded = load(name, ...words);
  return loaded === process ? new Proxy(process, traps) : loaded;
};
`;

it('the program reads no title of its process, over which Node 22 ends in a console without one', async () => {
  const folder = await makeFolder();
  const file = path.join(folder, 'setup.cjs');
  await writeFile(file, setup);
  const words = ['--require', file, builtProgram, 'env', 'list'];
  const env = { HOME: folder };
  const { stdout } = await promisify(execFile)(process.execPath, words, { env });
  expect(stdout).toContain('staging');
});
