import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outputFormats } from '../../src/contract/output-formats.ts';
import { anyCharacter } from '../support/arbitraries.ts';
import { respondJson, startHttpServer } from '../support/http-server.ts';
import { createHome, runPetstore } from '../support/run-program.ts';
import { stagingAt } from '../support/staging.ts';

/** Whatever acts on a terminal: controls but the newlines that are ours, bidi controls, separators, halves of characters. */
const actsOnTerminal = /[\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]|(?![\n])\p{Cc}/u;

const hostile = [
  '\u001b[2J\u001b[31mred',
  '\u001b]8;;https://evil.example\u0007Rex\u001b]8;;\u0007',
  '\u001b]52;c;cm0gLXJm\u0007',
  '\u009b31m\u0090$q\u009c',
  'Rex\u202egnp.exe\u2066\u2069',
  'a\u2028b\u2029c',
  'nul\0 bell\u0007 back\b',
  'two\nlines\rover',
  '=HYPERLINK("https://evil.example","Rex")',
  '👩‍👩‍👧‍👦'.repeat(200),
  '\ud800 half',
];

async function serveName(name: string) {
  const pet = JSON.stringify({ id: 1, name, categoryId: 1 });
  const server = await startHttpServer((request, response) => {
    const isList = request.method === 'GET' && request.url?.includes('?');
    return respondJson(request.method === 'POST' ? 201 : 200, isList ? `[${pet}]` : pet)(
      request,
      response,
    );
  });
  return { env: stagingAt(server.url) };
}

describe('a hostile name', () => {
  it.each(hostile)('%j never reaches the terminal raw, in any format', async (name) => {
    const { env } = await serveName(name);
    for (const words of [['list'], ['get', '1'], ['add', 'Rex', '--category', '1']]) {
      for (const format of outputFormats) {
        const argv = [...words, '-o', format, '-vvv'];
        const { stdout, stderr, exitCode } = await runPetstore(argv, { env, tty: true });
        // The created pet has another name than the one that was sent.
        expect(exitCode).toBe(words[0] === 'add' ? 1 : 0);
        expect(stdout + stderr).not.toMatch(actsOnTerminal);
      }
    }
  });

  it.each(hostile)('%j comes back from JSON as the same value', async (name) => {
    const { env } = await serveName(name);
    const list = await runPetstore(['list', '--json'], { env });
    const one = await runPetstore(['get', '1', '--ndjson'], { env });
    expect(JSON.parse(list.stdout)).toEqual([{ id: 1, name, categoryId: 1 }]);
    expect(JSON.parse(one.stdout)).toEqual({ id: 1, name, categoryId: 1 });
  });

  it('any name at all: safe on a terminal, the same value in JSON', async () => {
    let served = '[]';
    const server = await startHttpServer((request, response) =>
      respondJson(200, served)(request, response),
    );
    const env = stagingAt(server.url);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter, maxLength: 40 }), async (name) => {
        served = JSON.stringify([{ id: 1, name, categoryId: 1 }]);
        const table = await runPetstore(['list'], { env, tty: true });
        const json = await runPetstore(['list', '--json'], { env });
        expect(table.stdout).not.toMatch(actsOnTerminal);
        expect(json.stdout).not.toMatch(actsOnTerminal);
        expect(JSON.parse(json.stdout)).toEqual([{ id: 1, name, categoryId: 1 }]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a hostile error', () => {
  it.each(hostile)('%j in the message or code never reaches the terminal raw', async (text) => {
    const body = JSON.stringify({ code: text, message: text, status: 400 });
    const server = await startHttpServer(respondJson(400, body));
    for (const format of ['table', 'json']) {
      const argv = ['add', 'Rex', '--category', '1', '-o', format, '-vvv'];
      const { stderr, exitCode } = await runPetstore(argv, {
        env: stagingAt(server.url),
        tty: true,
      });
      expect(exitCode).toBe(6);
      expect(stderr).not.toMatch(actsOnTerminal);
    }
  });

  it.each(hostile)('%j as the reason in a record never reaches the terminal raw', async (text) => {
    const refusal = JSON.stringify({ code: text, message: text, status: 400 });
    const failing = await startHttpServer(respondJson(400, refusal));
    const refusing = await startHttpServer((request, response) =>
      (request.method === 'POST' ? respondJson(400, refusal) : respondJson(200, '[]'))(
        request,
        response,
      ),
    );
    const HOME = await createHome();
    await writeFile(path.join(HOME, 'pets.csv'), 'name,categoryId\nRex,1\n');
    for (const [line, server] of [
      ['auth status --check', failing],
      ['auth status --check --all', failing],
      ['doctor', failing],
      [`import ${HOME}/pets.csv --fresh --confirm staging`, refusing],
    ] as const) {
      for (const format of outputFormats) {
        const argv = [...line.split(' '), '-o', format];
        const env = { ...stagingAt(server.url), HOME };
        const { stdout, stderr } = await runPetstore(argv, { env, tty: true });
        expect(stdout).toMatch(/400|rejected|did not accept/);
        const withoutBar = stderr.replaceAll('\r\u001b[K', '');
        expect(stdout + withoutBar).not.toMatch(actsOnTerminal);
      }
    }
  });

  it('a key that the service sends back is redacted in every stream', async () => {
    const key = 'canary-key-0123456789';
    const server = await startHttpServer((request, response) => {
      const name = `you sent ${request.headers.authorization}`;
      return respondJson(200, JSON.stringify([{ id: 1, name, categoryId: 1 }]), { 'x-echo': key })(
        request,
        response,
      );
    });
    for (const format of outputFormats) {
      const argv = ['list', '-o', format, '-vvv'];
      const { stdout, stderr } = await runPetstore(argv, { env: stagingAt(server.url, key) });
      expect(stdout).toContain('[redacted]');
      expect(stdout + stderr).not.toContain(key);
    }
  });
});
