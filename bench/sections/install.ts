import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Effort } from '../effort.ts';
import { cleanEnvironment } from '../environment.ts';
import { measureOnce } from '../measure-commands.ts';
import { buildMeasure } from '../native.ts';
import type { Row } from '../report.ts';
import { median } from '../statistics.ts';

const ROUNDS = 3;

/** Whom this machine trusts belongs to its way to the registry: without it npm tries again for minutes. */
const { NODE_EXTRA_CA_CERTS: trusted } = process.env;
const variables = trusted === undefined ? {} : { NODE_EXTRA_CA_CERTS: trusted };

/** How long `npm ci` takes in a fresh clone of the last commit. */
export async function measure(_: Effort): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-bench-'));
  const root = path.resolve(import.meta.dirname, '../..');
  try {
    const seconds = Array.from({ length: ROUNDS }, (_, round) => {
      const clone = path.join(folder, String(round));
      execFileSync('git', ['clone', '--quiet', root, clone], { env: cleanEnvironment() });
      const words = ['npm', 'ci', '--prefix', clone];
      return measureOnce(buildMeasure(), { name: 'npm ci', words, variables }).wall / 1000;
    });
    return [{ what: 'npm ci', figure: median(seconds), unit: 's', goal: { atMost: 30 } }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
