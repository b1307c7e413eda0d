import { onTestFinished } from 'vitest';
import type { GoodRow } from '../../src/import/read/row.ts';
import { identifyImport } from '../../src/import/staging/import-records.ts';
import { type Imports, openImports, type RunningImport } from '../../src/import/staging/imports.ts';

/** The imports of a folder, closed when the test is over. */
export function openTestImports(folder: string): Imports {
  const imports = openImports(folder, () => new Date());
  onTestFinished(imports.close);
  return imports;
}

export const target = { environment: 'staging', url: 'http://127.0.0.1:8080/v1' };

/** What importing a content that exists in name only is. */
export function describeSubject(hash: string, rows: number, to = target) {
  return { id: identifyImport(hash, to), hash, ...to, path: `/deliveries/${hash}.csv`, rows };
}

/** Pets named Pet 1, Pet 2, Pet 3 … */
export function createRows(count: number): GoodRow[] {
  return Array.from({ length: count }, (_, index) => {
    const pet = { name: `Pet ${index + 1}`, categoryId: BigInt(index % 7) };
    const source = `${pet.name},${pet.categoryId}`;
    return { number: index + 1, line: index + 2, pet, source };
  });
}

/** A complete draft of rows like these. */
export function stage(imports: Imports, rows: number) {
  const draft = imports.createDraft();
  for (const row of createRows(rows)) draft.add(row);
  draft.complete({ format: 'csv', header: 'name,categoryId' });
  return draft;
}

/** Starts an import of such rows, locked until the test is over or it is closed. */
export function startImport(imports: Imports, rows: number, hash = 'abc'): RunningImport {
  const subject = describeSubject(hash, rows);
  const running = imports.start(stage(imports, rows), subject, imports.open(subject.id));
  onTestFinished(running.staging.close);
  return running;
}
