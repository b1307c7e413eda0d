/** Holds the running service to the OpenAPI document it serves, by a tool that is not ours: Redocly's respect. */
import { execFileSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startService } from './built-service.ts';

const root = path.resolve(import.meta.dirname, '..');

await runStory('petstore.arazzo.yaml', []);
await runStory('removed.arazzo.yaml', ['--as-of', '2030-12-05T00:00:00Z']);

/** Starts a service of its own, fetches its document, checks the document and then the service against it. */
async function runStory(story: string, words: readonly string[]): Promise<void> {
  const { origin, key, folder, stop } = await startService(words);
  const env = {
    ...process.env,
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    REDOCLY_CLI_RESPECT_INPUT: JSON.stringify({ key, tooLargeName: 'x'.repeat(70_000) }),
  };
  const command = path.join(root, 'conformance/node_modules/.bin/redocly');
  const redocly = (...given: readonly string[]) =>
    execFileSync(command, given, { cwd: folder, stdio: 'inherit', env });
  try {
    const document = await fetch(new URL('/openapi.json', origin));
    writeFileSync(path.join(folder, 'openapi.json'), await document.text());
    cpSync(path.join(root, 'conformance', story), path.join(folder, story));
    redocly('lint', 'openapi.json', '--extends', 'recommended-strict');
    redocly('respect', story, '--server', `petstore=${origin}/v1`);
  } finally {
    await stop();
  }
}
