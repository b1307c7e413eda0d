import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BundleSources } from '../bundle/bundle.ts';
import { findPackages } from './find-packages.ts';
import { describePackage, renderLicenses } from './render-licenses.ts';

const root = path.resolve(import.meta.dirname, '../..');

const introduction = `petstore contains the packages below, each under its own license. The two packages that npm installs beside
it, keytar and @photostructure/sqlite, bring theirs themselves.`;

/** Writes the licenses of all that was bundled, from the bundler's own list. */
export function writePackageLicenses(dist: string, { files, legalComments }: BundleSources): void {
  const parts = findPackages(files).map((folder) =>
    describePackage(
      path.join(root, folder),
      files.filter((file) => file.startsWith(`${folder}/`)).map((file) => path.basename(file)),
    ),
  );
  const comments =
    legalComments.length > 0 ? [{ title: 'Comments in sources', texts: legalComments }] : [];
  const text = renderLicenses(introduction, [...parts, ...comments]);
  writeFileSync(path.join(dist, 'THIRD-PARTY-LICENSES.txt'), text);
}
