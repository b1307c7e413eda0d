import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createKeyFile } from '../../../src/config/keys/key-file.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { within } from '../../support/within.ts';

async function open(text?: string, mode = 0o600) {
  const file = path.join(await makeFolder(), 'keys.json');
  if (text !== undefined) await writeFile(file, text, { mode });
  return { file, keys: createKeyFile(file) };
}

const refused = (message: string, details: string[] = []) => ({
  ...{ code: 'cli_key_file_unsafe', message, details },
});

describe('a file of keys', () => {
  it('keeps each key by its account', async () => {
    const { file, keys } = await open();
    await keys.set('a@https://h', 'one');
    await keys.set('b@https://h', 'two');
    expect(await keys.get('a@https://h')).toBe('one');
    expect(await keys.remove('a@https://h')).toBe(true);
    expect(await readFile(file, 'utf8')).toBe('{\n  "b@https://h": "two"\n}\n');
    expect(await keys.get('a@https://h')).toBeUndefined();
  });

  it('that is not there has none to remove, and is not created for it', async () => {
    const { file, keys } = await open();
    expect(await keys.remove('a@https://h')).toBe(false);
    expect(existsSync(file)).toBe(false);
    expect(await keys.get('toString')).toBeUndefined();
  });

  it.each(['{"a": 1}', '[]', '{'])('with %s in it is damaged', async (text) => {
    const { file, keys } = await open(text);
    const refusal = refused(`The key file ${file} is damaged`, ['move it away and log in again']);
    await expect(keys.get('a')).rejects.toMatchObject(refusal);
    await expect(keys.set('a', 'key')).rejects.toMatchObject(refusal);
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  it.skipIf(process.platform === 'win32')('that others can read is not used', async () => {
    const { file, keys } = await open('{}');
    await chmod(file, 0o604);
    await expect(keys.get('a')).rejects.toMatchObject({
      ...refused(`The key file ${file} can be read by others (mode 0604); it is not used`, [
        'if others may have read it, replace the keys in it',
      ]),
      next: [`chmod 600 '${file}'`],
    });
  });

  it('that is a folder cannot be read', async () => {
    const { file, keys } = await open();
    await mkdir(file);
    await expect(keys.get('a')).rejects.toMatchObject({
      ...refused(`The key file cannot be read: ${file} is a folder, not a file`),
      cause: { code: 'EINVAL' },
    });
  });

  it.skipIf(process.platform === 'win32')('that is a pipe is not waited for', async () => {
    const { file, keys } = await open();
    execFileSync('mkfifo', ['-m', '600', file]);
    await expect(within(keys.get('a'), 'a pipe is refused')).rejects.toMatchObject(
      refused(`The key file cannot be read: ${file} is a pipe, not a file`),
    );
  });

  it.skipIf(process.platform !== 'linux')('is closed once it was read', async () => {
    const { file, keys } = await open('{}');
    await keys.get('a');
    const descriptors = readdirSync('/proc/self/fd').map(readDescriptor);
    expect(descriptors).not.toContain(file);
  });
});

/** What it leads to; nothing for one that was closed meanwhile. */
function readDescriptor(name: string): string | undefined {
  try {
    return readlinkSync(path.join('/proc/self/fd', name));
  } catch {
    return undefined;
  }
}
