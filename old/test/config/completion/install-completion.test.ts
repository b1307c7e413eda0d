import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  installCompletion,
  uninstallCompletion,
} from '../../../src/config/completion/install-completion.ts';
import { makeFolder } from '../../support/make-folder.ts';

const line = '. completion.sh';
const block = [
  '',
  '# petstore completion, removed by: petstore completion bash --uninstall',
  line,
  '# end of petstore completion',
  '',
].join('\n');

/** Where the completion of a shell goes, with a start file of this content. */
async function setUp(content?: string) {
  const folder = await makeFolder();
  const [script, file] = [path.join(folder, 'completion.sh'), path.join(folder, 'rc')];
  if (content !== undefined) await writeFile(file, content);
  const place = { script, start: { file, line, shell: 'bash' as const } };
  return { place, script, file, read: () => readFile(file, 'utf8') };
}

describe('installing completion', () => {
  it.each([
    ['is not there', undefined, '', ''],
    ['is empty', '', '', ''],
    ['ends its last line', 'mine\n', 'mine\n', 'mine\n'],
    ['does not', 'mine', 'mine\n', 'mine\n'],
    ['ends its lines with CRLF', 'mine\r\n', 'mine\r\n', 'mine\r\n'],
  ])(
    'adds its lines to a start file that %s, once, and takes them away',
    async (_, content, before, after) => {
      const { place, script, file, read } = await setUp(content);
      for (let turn = 0; turn < 2; turn += 1) {
        expect(installCompletion(place, 'complete')).toEqual([script, file]);
        expect(await read()).toBe(before + block);
        expect(await readFile(script, 'utf8')).toBe('complete');
      }
      expect(uninstallCompletion(place)).toEqual([script, file]);
      expect(await read()).toBe(after);
      expect(uninstallCompletion(place)).toEqual([]);
    },
  );

  it('changes nothing of the lines around its own', async () => {
    const { place, file, read } = await setUp(`mine${block}yours\n`);
    installCompletion(place, 'complete');
    expect(await read()).toBe(`mineyours\n${block}`);
    await writeFile(file, `mine\r\n${block.replaceAll('\n', '\r\n')}yours\r\n`);
    uninstallCompletion(place);
    expect(await read()).toBe('mine\r\nyours\r\n');
  });

  it('needs no start file where the shell looks for the script', async () => {
    const { script } = await setUp();
    expect(installCompletion({ script }, 'complete')).toEqual([script]);
    expect(uninstallCompletion({ script })).toEqual([script]);
    expect(uninstallCompletion({ script })).toEqual([]);
  });

  it('keeps who may read the start file', async () => {
    const { place, file } = await setUp('mine\n');
    await chmod(file, 0o640);
    installCompletion(place, 'complete');
    expect((await stat(file)).mode & 0o777).toBe(0o640);
  });

  it('refuses UTF-16, and no other file with such bytes in it', async () => {
    const { place, script, file } = await setUp();
    await writeFile(file, '\xff\xfem\0', 'latin1');
    expect(() => installCompletion(place, 'complete')).toThrow(
      expect.objectContaining({
        code: 'cli_file',
        message: `${file} is in UTF-16 and was not changed`,
        details: [`${script} was written; to load it, add this line to the file:`, line],
      }),
    );
    await writeFile(file, 'm\xff\xfe\n', 'latin1');
    expect(installCompletion(place, 'complete')).toEqual([script, file]);
  });

  it('says which file cannot be changed', async () => {
    const { place, script, file } = await setUp();
    await mkdir(file);
    const refusal = (path: string) =>
      expect.objectContaining({
        code: 'cli_file',
        message: expect.stringContaining(`${path} cannot be changed: `),
        cause: expect.objectContaining({ code: 'EISDIR' }),
      });
    expect(() => installCompletion(place, 'complete')).toThrow(refusal(file));
    expect(() => uninstallCompletion(place)).toThrow(refusal(file));
    await mkdir(script);
    expect(() => installCompletion({ script }, 'complete')).toThrow(refusal(script));
    expect(() => uninstallCompletion({ script })).toThrow(`${script} cannot be changed: `);
  });
});
