import { execFileSync } from 'node:child_process';
import path from 'node:path';
import * as v from 'valibot';
import { cleanEnvironment } from '../environment.ts';
import type { Row } from '../report.ts';
import { median, pairedRatio } from '../statistics.ts';
import { writeDelivery } from '../write-delivery.ts';

const ROUNDS = 3;
const Reading = v.object({ rows: v.number(), seconds: v.number() });

/** Checking and staging a file, beside what the CSV parser takes alone. */
export function measureStaging(folder: string, rows: number): Row[] {
  const file = path.join(folder, 'staged.csv');
  writeDelivery(file, rows);
  const script = path.join(import.meta.dirname, '../load/read-csv.ts');
  const read = (which: 'parse' | 'stage') => {
    const words = ['--import', 'tsx', script, which, file, folder];
    const output = execFileSync(process.execPath, words, { env: cleanEnvironment() });
    return v.parse(Reading, JSON.parse(output.toString())).seconds;
  };
  const parsed: number[] = [];
  const staged: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    parsed.push(read('parse'));
    staged.push(read('stage'));
  }
  return [
    {
      what: `import, ${rows / 1e6}M rows, check and staging beside csv-parse alone`,
      figure: pairedRatio(staged, parsed),
      unit: 'x csv-parse',
      goal: { atMost: 3 },
      measured: { seconds: median(staged), 'csv-parse seconds': median(parsed) },
    },
  ];
}
