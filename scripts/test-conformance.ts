/** Holds the running service to the OpenAPI document it serves, by a tool that is not ours: Redocly's respect. */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findOrigin } from './find-origin.ts';

const root = path.resolve(import.meta.dirname, '..');
const program = path.join(root, 'bin/petstore.js');
const folder = mkdtempSync(path.join(tmpdir(), 'petstore-conformance-'));
try {
  await runStory('petstore.arazzo.yaml', []);
  await runStory('removed.arazzo.yaml', ['--as-of', '2030-12-05T00:00:00Z']);
} finally {
  // Windows lets go of the database a moment after its process has ended.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/** Starts a service of its own, fetches its document, checks the document and then the service against it. */
async function runStory(story: string, words: readonly string[]): Promise<void> {
  const database = ['--database', `sqlite:${path.join(folder, `${story}.db`)}`];
  const create = [program, 'keys', 'create', '--name', 'conformance', ...database];
  const key = execFileSync(process.execPath, create, { encoding: 'utf8' }).trim();
  const serve = [program, 'serve', '--port', '0', ...database, ...words];
  const service = spawn(process.execPath, serve, { stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    const origin = await findOrigin(service.stderr);
    const document = await fetch(new URL('/openapi.json', origin));
    writeFileSync(path.join(folder, 'openapi.json'), await document.text());
    cpSync(path.join(root, 'conformance', story), path.join(folder, story));
    redocly(['lint', 'openapi.json', '--extends', 'recommended-strict']);
    const inputs = { key, tooLargeName: 'x'.repeat(70_000) };
    redocly(['respect', story, '--server', `petstore=${origin}/v1`], {
      REDOCLY_CLI_RESPECT_INPUT: JSON.stringify(inputs),
    });
  } finally {
    service.kill();
  }
}

function redocly(words: readonly string[], variables: Record<string, string> = {}): void {
  const command = path.join(root, 'conformance/node_modules/.bin/redocly');
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const env = { ...process.env, ...quiet, ...variables };
  execFileSync(command, words, { cwd: folder, stdio: 'inherit', env });
}
