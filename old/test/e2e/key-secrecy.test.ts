import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BuiltOptions } from '../support/built-program.ts';
import { openDeskMachine } from '../support/desk-machine.ts';
import { startHttpServer, type TestServer } from '../support/http-server.ts';
import { canOpenKeyring, type Keyring, openKeyring } from '../support/keyring.ts';

describe.skipIf(!canOpenKeyring)('a key', () => {
  let keyring: Keyring;
  beforeAll(async () => {
    keyring = await openKeyring();
  });
  afterAll(() => keyring.stop());

  const canary = `canary-${randomUUID()}`;

  /** A service that repeats what it was sent, the key included, wherever it can. */
  function startEcho(status: number): Promise<TestServer> {
    return startHttpServer((request, response) => {
      const key = request.headers.authorization?.slice('Bearer '.length) ?? '';
      const error = { code: key, message: `you sent ${key}`, status };
      response.writeHead(status, { 'content-type': 'application/json', 'x-echo': key });
      response.end(JSON.stringify(status === 200 ? [{ id: 1, name: key, categoryId: 1 }] : error));
    });
  }

  async function readEverything(folder: string): Promise<string> {
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    const texts = files
      .filter((file) => file.isFile())
      .map((file) => readFile(path.join(file.parentPath, file.name), 'latin1'));
    return (await Promise.all(texts)).join('\n');
  }

  const traces = (text: string) =>
    [canary, encodeURIComponent(canary), Buffer.from(canary).toString('base64')].filter((form) =>
      text.includes(form),
    );

  it.each([200, 401, 500])(
    'is nowhere but in the keychain and behind `auth token`, whatever a service answering %i repeats',
    async (status) => {
      const { url } = await startEcho(status);
      const { run, home } = await openDeskMachine(url, {
        ...keyring.env,
        PETSTORE_DEBUG: '1',
        // In the home folder, which is searched.
        XDG_CACHE_HOME: '',
      });
      const written: string[] = [];
      const record = async (line: string, options: Partial<BuiltOptions> = {}) => {
        const { stdout, stderr } = await run(`${line} -vvv --retries 0`, options);
        written.push(stdout, stderr);
      };
      await record('auth login --key-stdin', { stdin: canary });
      await record('auth login --key-stdin --no-verify', { stdin: canary });
      const echoed = await keyring.lookup(`staging@${new URL(url).origin}`);
      expect(echoed).toBe(canary);
      await writeFile(path.join(home, 'pets.csv'), 'name,categoryId\nRex,1\n');
      const lines = [
        'auth status --check --json',
        'auth status --all',
        ...['table', 'json', 'ndjson', 'csv'].map((format) => `list -o ${format}`),
        'add Rex --category 1',
        'add Rex --category 1 --dry-run',
        'get 1',
        'env show --explain',
        `import ${path.join(home, 'pets.csv')}`,
        'doctor',
      ];
      const withVariable = ['list', 'auth status --check', 'env show --explain --json'];
      const env = { PETSTORE_API_KEY: canary };
      await Promise.all([
        ...lines.map((line) => record(line)),
        ...withVariable.map((line) => record(line, { env })),
      ]);
      await record('auth login --key-stdin', { stdin: canary, env });
      expect((await run('auth token')).stdout).toBe(`${canary}\n`);
      await record('auth logout');
      expect(traces(written.join('\n'))).toEqual([]);
      expect(written.join('\n')).toContain('redacted');
      expect(traces(await readEverything(home))).toEqual([]);
    },
  );
});
