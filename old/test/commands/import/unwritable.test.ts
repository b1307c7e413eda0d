import { writeFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findMountObstacle, mountSmallDisk } from '../../support/small-disk.ts';
import { findStateFolder, setUp, startKeeper } from './support.ts';

const many = `name,categoryId\n${Array.from({ length: 300 }, (_, row) => `Pet ${row},1\n`).join('')}`;

/** The last line of stderr, which is the error, and the summary before it. */
function readReports(stderr: string) {
  const lines = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { error: lines.at(-1), summary: lines.find(({ type }) => type === 'summary') };
}

describe('an import that cannot write everything', () => {
  it.skipIf(findMountObstacle())(
    'when the disk is full after sending, says what was added and how to resume, and adds none twice',
    async () => {
      const desk = await setUp(many);
      const disk = await mountSmallDisk('1m');
      let filled: Promise<void> | undefined;
      const keeper = await startKeeper(async (count) => {
        if (count < 200) return;
        filled ??= disk.fill();
        await filled;
      });
      const env = { ...keeper.env, XDG_STATE_HOME: disk.folder };
      const stopped = await desk.run('import FILE --json', { env });
      expect(stopped.exitCode).toBe(10);
      const { error, summary } = readReports(stopped.stderr);
      expect(error).toMatchObject({
        outcome: 'unknown',
        next: [`petstore import ${desk.file} --resume --env staging`],
      });
      expect(error.details.join()).toContain('the disk is full');
      expect(summary).toMatchObject({ rows: 300, isComplete: false });
      await disk.free();
      expect(await desk.run('import FILE --resume', { env })).toMatchObject({ exitCode: 0 });
      expect(keeper.names()).toHaveLength(300);
    },
  );

  it('when it cannot be marked as finished, says that the pets were added', async () => {
    const desk = await setUp();
    const records = path.join(findStateFolder(desk.env), 'imports.db');
    const keeper = await startKeeper(() => writeFileSync(records, 'damaged'.repeat(2_000)));
    const ended = await desk.run('import FILE --json', { env: keeper.env });
    expect(ended.exitCode).toBe(1);
    const { error, summary } = readReports(ended.stderr);
    expect(summary).toMatchObject({ added: 3, isComplete: true });
    expect(error).toMatchObject({
      code: 'cli_output',
      message: 'Added 3 pets to staging.',
      outcome: 'applied',
      next: [`petstore import ${desk.file} --resume --env staging`],
    });
    expect(error.details.join()).toContain(records);
  });

  it('when stdout cannot be written, counts what was stored, stops and names stdout', async () => {
    const desk = await setUp(many);
    const keeper = await startKeeper();
    const stopped = await desk.run('import FILE --ndjson', {
      env: keeper.env,
      failWrites: true,
    });
    const { error, summary } = readReports(stopped.stderr);
    expect(stopped.exitCode).toBe(1);
    expect(summary.added).toBe(keeper.names().length);
    expect(error).toMatchObject({ code: 'cli_output', outcome: 'applied' });
    expect(error.details.join()).toContain('stdout');
    expect(await desk.run('import FILE --resume', { env: keeper.env })).toMatchObject({
      exitCode: 0,
    });
    expect(keeper.names()).toHaveLength(300);
  });

  it('when stdout cannot be written at the end, is finished, and the outcome is told', async () => {
    const desk = await setUp('name,categoryId\nRex,1\nrefused,1\n');
    const keeper = await startKeeper();
    const ended = await desk.run('import FILE', { env: keeper.env, failWrites: true });
    expect(ended.exitCode).toBe(1);
    expect(ended.stderr).toContain('Error: 1 of 2 pets added to staging, 1 rejected\n');
    const again = await desk.run('import FILE --json', { env: keeper.env });
    expect(again).toMatchObject({ exitCode: 3 });
    expect(again.stderr).toContain('was imported before');
  });

  it.skipIf(findMountObstacle())('when the rejects file cannot be written, names it', async () => {
    const desk = await setUp(many.replaceAll('Pet', 'refused Pet'));
    const disk = await mountSmallDisk('1m');
    const keeper = await startKeeper((count) => (count === 50 ? disk.fill() : undefined));
    const rejects = path.join(disk.folder, 'rejects.csv');
    const stopped = await desk.run(`import FILE --json --rejects ${rejects}`, { env: keeper.env });
    expect(stopped.exitCode).toBe(1);
    const { error, summary } = readReports(stopped.stderr);
    expect(error.details.join()).toContain(rejects);
    expect(error.next[0]).toContain('--resume');
    expect(summary.rejected).toBe(keeper.sent());
    await disk.free();
    const resumed = await desk.run(`import FILE --resume --json --rejects ${rejects}`, {
      env: keeper.env,
    });
    expect(resumed).toMatchObject({ exitCode: 6 });
    expect((await readFile(rejects, 'utf8')).split('\n')).toHaveLength(302);
  });
});

describe('a damaged file of the state folder', () => {
  it('imports.db is named, with what moving it away means, and does not stop a dry run', async () => {
    const { run, env } = await setUp();
    const folder = findStateFolder(env);
    await run('import FILE');
    const file = path.join(folder, 'imports.db');
    await writeFile(file, 'damaged'.repeat(2_000));
    expect(await run('import FILE --dry-run')).toMatchObject({ exitCode: 0 });
    const refused = await run('import FILE');
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain(`${file} cannot be used: it is not a SQLite database\n`);
    expect(refused.stderr).toContain('a file that was imported before is imported again');
    expect(refused.stderr).toContain(`Try:  mv '${file}' '${file}.damaged'\n`);
  });

  it.each([
    ['from its start', 0, 'it is not a SQLite database'],
    ['after its first page', 4_096, 'it is damaged'],
  ])('the staged rows are named, with what moving them away means: %s', async (_, from, what) => {
    const desk = await setUp('name,categoryId\nRex,1\nrefused,1\n');
    const keeper = await startKeeper();
    await desk.run('import FILE', { env: keeper.env });
    const folder = findStateFolder(desk.env);
    const name = (await readdir(folder)).find((one) => one.endsWith('.staging')) ?? '';
    const file = path.join(folder, name);
    const bytes = await readFile(file);
    await writeFile(file, bytes.fill('damaged', from));
    const refused = await desk.run('import FILE --resume', { env: keeper.env });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain(`${file} cannot be used: ${what}\n`);
    expect(refused.stderr).toContain('it holds the rows of one import and what became of them');
    expect(refused.stderr).toContain(`Try:  mv '${file}' '${file}.damaged'\n`);
  });
});
