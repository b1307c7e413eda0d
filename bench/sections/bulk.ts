import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { measureImport } from '../bulk/measure-import.ts';
import { measureListAll } from '../bulk/measure-list.ts';
import { measureStaging } from '../bulk/measure-staging.ts';
import type { Effort } from '../effort.ts';
import type { Row } from '../report.ts';

/** Whole catalogues: listing one, reading a delivery, and importing one. */
export async function measure({ million }: Effort): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-bench-'));
  try {
    return [
      ...(await measureListAll(folder, million)),
      ...measureStaging(folder, million),
      ...(await measureImport(folder, million)),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
