import { describe, expect, it, onTestFinished } from 'vitest';
import { respondJson, startHttpServer } from '../../support/http-server.ts';
import { runPetstore } from '../../support/run-program.ts';
import { startService } from '../../support/service.ts';
import { stagingAt } from '../../support/staging.ts';

async function add(...words: string[]) {
  const service = await startService();
  onTestFinished(() => service.close());
  const env = stagingAt(service.url, service.key);
  const run = await runPetstore(['add', 'Rex', '--category', '7', ...words], { env });
  return { ...run, url: service.url, key: service.key };
}

describe('--verbose', () => {
  it('once: request line, status and time', async () => {
    const { stderr, url } = await add('-v');
    expect(stderr).toMatch(
      new RegExp(`^> POST ${url}/pets\\n< 201 \\(\\d+ ms\\)\\nAdded pet 1 to staging\\.\\n$`),
    );
  });

  it('twice: headers too, the key redacted', async () => {
    const { stderr, key } = await add('-vv');
    expect(stderr).toContain('> Authorization: Bearer [redacted]\n');
    expect(stderr).toContain('> User-Agent: petstore-cli/');
    expect(stderr).toContain('< petstore-idempotency: 7d\n');
    expect(stderr).not.toContain('"name"');
    expect(stderr).not.toContain(key);
  });

  it('three times: bodies too', async () => {
    const { stderr } = await add('-vvv');
    expect(stderr).toContain('> {"name":"Rex","categoryId":7}\n');
    expect(stderr).toContain('< {"id":1,"name":"Rex","categoryId":7,"status":"available"}\n');
  });

  it('is the same before the command and after it', async () => {
    const service = await startService();
    onTestFinished(() => service.close());
    const env = stagingAt(service.url, service.key);
    const before = await runPetstore(['-v', 'list', '--json'], { env });
    const after = await runPetstore(['list', '--json', '-v'], { env });
    const untimed = (text: string) => text.replace(/\d+ ms/, 'ms');
    expect(untimed(before.stderr)).toBe(untimed(after.stderr));
    expect(before.stderr).toContain('"type":"trace"');
  });

  it('changes nothing on stdout', async () => {
    expect((await add('-vvv')).stdout).toBe((await add()).stdout);
  });

  it('shows each attempt and the wait between them', async () => {
    const env = stagingAt('http://127.0.0.1:9/v1');
    const { stderr } = await runPetstore(['list', '-v', '--retries', '1'], { env });
    expect(stderr.match(/^> GET/gm)).toHaveLength(2);
    expect(stderr).toMatch(/^\* retry in \d+ ms, after the connection was refused/m);
  });
});

describe('a long wait', () => {
  it('is explained also without --verbose', async () => {
    let isFirst = true;
    const server = await startHttpServer((request, response) => {
      const body = '{"code":"unavailable","message":"later","status":503}';
      const answer = isFirst
        ? respondJson(503, body, { 'retry-after': '2' })
        : respondJson(200, '[]');
      isFirst = false;
      answer(request, response);
    });
    const run = await runPetstore(['list', '--json'], { env: stagingAt(server.url) });
    expect(run).toMatchObject({ stdout: '[]\n', exitCode: 0 });
    expect(JSON.parse(run.stderr)).toEqual({
      type: 'notice',
      message: 'staging is busy; retrying in 2 s',
      environment: 'staging',
      seconds: 2,
    });
  });
});
