import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { version } from '../../src/version.ts';

interface Field {
  readonly file: string;
  readonly what: string;
  isMissing(text: string): boolean;
}

const Manifest = v.record(v.string(), v.unknown());

const hasPlaceholder = (text: string) => text.includes('the publisher fills this in');

/** What a release must not be without, as docs/release.md asks for it. */
const fields: readonly Field[] = [
  ...['author', 'repository', 'homepage', 'bugs'].map((what) => ({
    file: 'package.json',
    what,
    isMissing: (text: string) => v.parse(Manifest, JSON.parse(text))[what] === undefined,
  })),
  {
    file: 'SECURITY.md',
    what: 'where a vulnerability is reported',
    isMissing: hasPlaceholder,
  },
  {
    file: 'README.md',
    what: 'where the standalone programs and the Debian package can be downloaded',
    isMissing: hasPlaceholder,
  },
  {
    file: 'CHANGELOG.md',
    what: 'the date of this version',
    isMissing: (text) => !/^ \(\d{4}-\d\d-\d\d\)$/m.test(text.split(`\n## ${version}`)[1] ?? ''),
  },
];

/** Lists what a release of the files in this folder would be without, as `file: what`. */
export function listMissingFields(folder: string): string[] {
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
  return fields
    .filter(({ file, isMissing }) => isMissing(read(file)))
    .map(({ file, what }) => `${file}: ${what}`);
}
