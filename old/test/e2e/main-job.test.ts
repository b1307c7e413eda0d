import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

it('npm run demo shows the main job: list, add and get against a service of its own', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', 'scripts/demo.ts'],
    { cwd: root, timeout: 60_000 },
  );
  expect(stdout).toBe(
    [
      '',
      '$ petstore list --limit 5',
      'ID  NAME     CATEGORY  STATUS',
      ' 1  Rex             1  available',
      ' 2  Bella           2  available',
      ' 3  Nemo            3  pending',
      ' 4  Luna            4  sold',
      ' 5  Charlie         5  available',
      '',
      '$ petstore list --limit 2 --status sold --json',
      '[',
      '  {"id":4,"name":"Luna","categoryId":4,"status":"sold"},',
      '  {"id":8,"name":"Ziggy","categoryId":3,"status":"sold"}',
      ']',
      '',
      '$ petstore add Rex --category 7 --json',
      '{"id":49,"name":"Rex","categoryId":7,"status":"available"}',
      '',
      '$ petstore get 49',
      'ID  NAME  CATEGORY  STATUS',
      '49  Rex          7  available',
      '',
    ].join('\n'),
  );
});
