/** Holds the running service to the OpenAPI document it serves, by a tool that is not ours (Redocly's respect). */
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeKey } from '../test/support/make-key.ts';
import { startServeProcess } from '../test/support/serve-process.ts';

const tools = path.resolve(import.meta.dirname, '../conformance');
const redocly = path.join(tools, 'node_modules/.bin/redocly');

const folder = await mkdtemp(path.join(tmpdir(), 'petstore-conformance-'));
try {
  await runStory('petstore.arazzo.yaml', []);
  await runStory('removed.arazzo.yaml', ['--as-of', '2030-12-05T00:00:00Z']);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Starts a service of its own, fetches its document, checks the document and then the service against it. */
async function runStory(story: string, args: readonly string[]): Promise<void> {
  const database = `sqlite:${path.join(folder, `${story}.db`)}`;
  const key = makeKey(database);
  const service = await startServeProcess({ database, args });
  try {
    const document = await fetch(new URL('/openapi.json', service.url));
    await writeFile(path.join(folder, 'openapi.json'), await document.text());
    await cp(path.join(tools, story), path.join(folder, story));
    run(['lint', 'openapi.json', '--extends', 'recommended-strict']);
    const inputs = JSON.stringify({ key, tooLargeName: 'x'.repeat(70_000) });
    run(['respect', story, '--server', `petstore=${service.url}`], {
      REDOCLY_CLI_RESPECT_INPUT: inputs,
    });
  } finally {
    await service.stop();
  }
}

function run(words: readonly string[], variables: Record<string, string> = {}): void {
  const { status } = spawnSync(redocly, [...words], {
    cwd: folder,
    stdio: 'inherit',
    env: {
      ...process.env,
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
      ...variables,
    },
  });
  if (status !== 0) throw new Error(`redocly ${words.join(' ')} ended with ${status}`);
}
