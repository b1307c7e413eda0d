import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { listMissingFields } from '../../../scripts/release/missing-fields.ts';
import { version } from '../../../src/version.ts';
import { makeFolder } from '../../support/make-folder.ts';

const filled = {
  'package.json': '{"author":"A","repository":"r","homepage":"h","bugs":"b"}',
  'SECURITY.md': 'Report a vulnerability to security@pets.test.',
  'README.md': 'Download it from https://pets.test.',
  'CHANGELOG.md': `# Changelog\n\n## ${version} (2026-11-20)\n`,
};

async function listMissing(changed: Partial<typeof filled>): Promise<string[]> {
  const folder = await makeFolder();
  for (const [name, text] of Object.entries({ ...filled, ...changed }))
    writeFileSync(path.join(folder, name), text);
  return listMissingFields(folder);
}

it('a release that has all fields lacks nothing', async () => {
  expect(await listMissing({})).toEqual([]);
});

it.each([
  ['package.json', '{"author":"A","repository":"r","homepage":"h"}', 'bugs'],
  [
    'SECURITY.md',
    '<SECURITY CONTACT: the publisher fills this in>',
    'where a vulnerability is reported',
  ],
  [
    'README.md',
    '<!-- Where they can be downloaded: the publisher fills this in. -->',
    'where the standalone programs and the Debian package can be downloaded',
  ],
  ['CHANGELOG.md', `\n## ${version} (unreleased)\n`, 'the date of this version'],
  ['CHANGELOG.md', `\n## ${version}1 (2026-11-20)\n`, 'the date of this version'],
] as const)('without a field of %s it is not to be published', async (file, text, what) => {
  expect(await listMissing({ [file]: text })).toEqual([`${file}: ${what}`]);
});
