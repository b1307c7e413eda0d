import { readdirSync, statfsSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startHttpServer } from '../../support/http-server.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { runPetstore } from '../../support/run-program.ts';
import { findMountObstacle, mountSmallDisk } from '../../support/small-disk.ts';
import { stagingAt } from '../../support/staging.ts';

const PAGES = 300;
const KEY = 'test-key-1234';

/** A list of 30,000 pets, some 4 MB; `failAt` is the page that the service cannot read. */
async function startLargeList(failAt = Number.POSITIVE_INFINITY, onLastPage = () => {}) {
  const { url } = await startHttpServer((request, response) => {
    const at = Number(new URL(request.url ?? '', 'http://x').searchParams.get('cursor') ?? 1);
    if (at >= failAt) {
      response.writeHead(500).end();
      return;
    }
    if (at === PAGES) onLastPage();
    const link = at < PAGES ? { link: `<?limit=100&cursor=${at + 1}>; rel="next"` } : {};
    const pets = Array.from({ length: 100 }, (_, index) => ({
      ...{ id: at * 100 + index, name: `${KEY} 🐈 ${'x'.repeat(80)}`, categoryId: 1 },
    }));
    const headers = { 'content-type': 'application/json', ...link };
    response.writeHead(200, headers).end(JSON.stringify(pets));
  });
  return stagingAt(url, KEY);
}

async function listAll(env: Record<string, string>, format: string, temporary?: string) {
  if (temporary !== undefined) vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  return await runPetstore(['list', '--all', '--retries', '0', '-o', format], { env });
}

/** The homes of these runs are folders beside them. */
function listFiles(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

function lastReport(stderr: string) {
  return JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '');
}

describe('a long list as a JSON array', () => {
  it('has every pet, keys redacted, and leaves no file, not even while it is read', async () => {
    const folder = await makeFolder();
    let files: string[] = ['unread'];
    const env = await startLargeList(undefined, () => {
      files = listFiles(folder);
    });
    const { stdout, exitCode } = await listAll(env, 'json', folder);
    expect(exitCode).toBe(0);
    const lines = (await listAll(env, 'ndjson')).stdout.trimEnd().split('\n');
    expect(stdout === `[\n  ${lines.join(',\n  ')}\n]\n`).toBe(true);
    expect(lines).toHaveLength(100 * PAGES);
    expect(stdout).not.toContain(KEY);
    expect(files).toEqual([]);
    expect(listFiles(folder)).toEqual([]);
  });

  it('that fails half-way prints nothing, and leaves no file', async () => {
    const folder = await makeFolder();
    const { stdout, exitCode } = await listAll(await startLargeList(PAGES - 1), 'json', folder);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 7 });
    expect(listFiles(folder)).toEqual([]);
  });

  it.skipIf(findMountObstacle())(
    'for which the disk has no room prints nothing, and says what needs none',
    async () => {
      const env = await startLargeList();
      const disk = await mountSmallDisk('2m');
      const full = await listAll(env, 'json', disk.folder);
      expect(full).toMatchObject({ stdout: '', exitCode: 2 });
      expect(lastReport(full.stderr)).toMatchObject({
        code: 'cli_file',
        message: `A temporary file in ${disk.folder} cannot be used: no space is left on the disk`,
        details: [expect.anything(), expect.stringContaining('--ndjson')],
      });
      expect(listFiles(disk.folder)).toEqual([]);
      const { bfree, blocks } = statfsSync(disk.folder);
      expect(bfree).toBeGreaterThan(blocks / 2);
    },
  );
});
