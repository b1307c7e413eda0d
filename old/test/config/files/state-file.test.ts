import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openStateFile } from '../../../src/config/files/state-file.ts';
import { makeFolder } from '../../support/make-folder.ts';

const empty = { notices: {}, idempotentServices: [] };

it('remembers what was changed, for its owner alone', async () => {
  const folder = path.join(await makeFolder(), 'petstore');
  openStateFile(folder).update((state) => ({ ...state, notices: { get: '2026-11-20' } }));
  expect(openStateFile(folder).read()).toEqual({ ...empty, notices: { get: '2026-11-20' } });
  expect(await readdir(folder)).toEqual(['state.json']);
  expect((await stat(path.join(folder, 'state.json'))).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

it('counts a damaged file as empty', async () => {
  const folder = await makeFolder();
  await writeFile(path.join(folder, 'state.json'), '{"notices":');
  expect(openStateFile(folder).read()).toEqual(empty);
});

it('never fails when it cannot be written', async () => {
  const folder = await makeFolder();
  await mkdir(path.join(folder, 'state.json'));
  const state = openStateFile(folder);
  state.update((before) => before);
  expect(state.read()).toEqual(empty);
  expect(await readdir(folder)).toEqual(['state.json']);
});

it('what is missing in it counts as empty, and what it is not is dropped', async () => {
  const folder = await makeFolder();
  const file = path.join(folder, 'state.json');
  await writeFile(file, '{"idempotentServices":["https://h/v1"],"other":1}', { mode: 0o600 });
  expect(openStateFile(folder).read()).toEqual({
    ...empty,
    idempotentServices: ['https://h/v1'],
  });
  openStateFile(folder).update((state) => state);
  expect(await readFile(file, 'utf8')).toBe(
    '{\n  "notices": {},\n  "idempotentServices": [\n    "https://h/v1"\n  ]\n}\n',
  );
});
