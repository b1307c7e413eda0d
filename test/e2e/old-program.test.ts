import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';

const program = path.resolve(import.meta.dirname, '../../bin/petstore.js');

it('starts the old program until the new one takes its place', () => {
  const version = execFileSync(process.execPath, [program, '--version'], { encoding: 'utf8' });
  expect(version).toMatch(/^\d+\.\d+\.\d+\n$/);
});
