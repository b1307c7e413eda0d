import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Area } from './areas.ts';

const stryker = 'mutation/node_modules/@stryker-mutator/core/bin/stryker.js';

const report = 'mutation/.work/report.json';

/**
 * Whether mutants of code that runs when it is loaded are tried, each by all tests of its area. They are a quarter, and take
 * most of the time.
 */
export const triesStatic = process.env.PETSTORE_MUTATION_STATIC !== 'off';

/**
 * Mutates files, or ranges of them, and returns the report. Nothing of an earlier report is reused: Stryker would keep a
 * mutant of code that runs when it is loaded as a survivor, though a new test fails by it.
 */
export function runStryker(area: Area, places: readonly string[], isFirst = true): string {
  rmSync(report, { force: true });
  // A mutant may write, or delete, in another place than it should: all it is told of lies in here.
  const home = mkdtempSync(path.join(tmpdir(), 'petstore-mutation-'));
  // PostgreSQL runs as a user of its own.
  chmodSync(home, 0o755);
  const coverage = area.runsInThread ? 'off' : 'perTest';
  const { status } = spawnSync(
    process.execPath,
    [
      ...[stryker, 'run', 'mutation/stryker.config.mjs', '--mutate', places.join(',')],
      ...['--incrementalFile', report, '--force', '--coverageAnalysis', coverage],
      ...(triesStatic || area.runsInThread ? [] : ['--ignoreStatic']),
      ...['--concurrency', process.env.PETSTORE_MUTATION_CONCURRENCY ?? '2'],
    ],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        HOME: home,
        TMPDIR: home,
        PETSTORE_MUTATION_TESTS: area.tests.map(toGlob).join(','),
        PETSTORE_MUTATION_COVERAGE: coverage,
        PETSTORE_MUTATION_FILES: area.runsInThread ? '' : places.map(toFile).join(','),
        PETSTORE_MUTATION_TEST_TIMEOUT: String(area.testTimeout ?? 15_000),
      },
    },
  );
  removeHome(home);
  // A test may fail by its time limit on a busy machine, which ends the run before its first mutant.
  if (status !== 0 && isFirst) return runStryker(area, places, false);
  if (status !== 0) throw new Error(`Stryker ended with ${status} for ${places.join(', ')}`);
  return report;
}

/**
 * Not by Node, which fails when a mutant that has not ended yet puts a file in a folder's place, or when one was ended
 * while a file of its test could not be changed.
 */
function removeHome(home: string): void {
  spawnSync('chattr', ['-R', '-i', home], { stdio: 'ignore' });
  spawnSync('rm', ['-rf', home], { stdio: 'ignore' });
}

/** Without its range. */
function toFile(place: string): string {
  return place.replace(/:.*/, '');
}

function toGlob(place: string): string {
  return place.endsWith('/') ? `${place}**/*.test.ts` : place;
}
