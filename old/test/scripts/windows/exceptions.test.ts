import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { filesWithExceptions } from '../../../scripts/windows/exceptions.ts';

const tests = path.resolve(import.meta.dirname, '../..');

it('every file whose tests are not all run on Windows is there under its name', () => {
  const missing = filesWithExceptions.filter(
    (file) => !existsSync(path.join(tests, `${file}.test.ts`)),
  );
  expect(missing).toEqual([]);
});
