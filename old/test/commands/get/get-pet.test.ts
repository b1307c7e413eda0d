import { describe, expect, it, onTestFinished } from 'vitest';
import { respondJson, startHttpServer } from '../../support/http-server.ts';
import { createHome, runPetstore } from '../../support/run-program.ts';
import { startService } from '../../support/service.ts';
import { stagingAt } from '../../support/staging.ts';

const lastSecond = new Date('2030-12-04T23:59:59Z');
const sunset = new Date('2030-12-05T00:00:00Z');
const longBefore = new Date('2027-01-01T12:00:00Z');

const rex = '{"id":2,"name":"Rex","categoryId":7,"status":"sold"}\n';
const willGo =
  'From 5 December 2030 petstore get reads the whole list: the service then removes the look-up by id. See: petstore help deprecation\n';
const isGone =
  'The service has removed the look-up by id; reading the whole list instead. See: petstore help deprecation\n';

/** A service that judges getPet by `asOf`, and a machine of which the clock says what a run is told. */
async function openService(asOf: Date) {
  const service = await startService({
    asOf,
    pets: [
      { name: 'Bello', categoryId: 1n },
      { name: 'Rex', categoryId: 7n, status: 'sold' },
    ],
  });
  onTestFinished(() => service.close());
  const env = { ...stagingAt(service.url, service.key), HOME: await createHome() };
  return (clock: Date, ...words: string[]) =>
    runPetstore(['get', '2', '-o', 'table', '--fields', 'id', ...words], { env, clock });
}

describe('get on either side of the removal', () => {
  it.each([
    { service: lastSecond, machine: lastSecond, stderr: willGo },
    { service: lastSecond, machine: sunset, stderr: willGo },
    { service: sunset, machine: lastSecond, stderr: isGone },
    { service: sunset, machine: sunset, stderr: isGone },
  ])(
    'service at $service, this machine at $machine: the response of the service decides',
    async ({ service, machine, stderr }) => {
      const get = await openService(service);
      expect(await get(machine)).toEqual({ stdout: 'ID\n 2\n', stderr, exitCode: 0 });
    },
  );

  it('prints the same pet before and after', async () => {
    const before = await openService(lastSecond);
    const after = await openService(sunset);
    const words = ['-o', 'json', '--fields', 'id,name,categoryId,status'];
    expect((await before(lastSecond, ...words)).stdout).toBe(rex);
    expect((await after(sunset, ...words)).stdout).toBe(rex);
  });

  it('--via get fails once the operation is gone, saying what to do', async () => {
    const get = await openService(sunset);
    const run = await get(sunset, '--via', 'get');
    expect(run).toMatchObject({ stdout: '', exitCode: 6 });
    expect(run.stderr).toContain('410 operation_removed');
    expect(run.stderr).toContain('Try:  petstore get --env staging 2 --via list');
  });

  it('--via list asks the list only and says nothing', async () => {
    const get = await openService(lastSecond);
    expect(await get(lastSecond, '--via', 'list')).toEqual({
      stdout: 'ID\n 2\n',
      stderr: '',
      exitCode: 0,
    });
  });
});

describe('the notice', () => {
  it('is shown once a day', async () => {
    const get = await openService(longBefore);
    const nextDay = new Date(longBefore.getTime() + 24 * 3600 * 1000);
    expect((await get(longBefore)).stderr).toBe(willGo);
    expect((await get(longBefore)).stderr).toBe('');
    expect((await get(nextDay)).stderr).toBe(willGo);
  });

  it('is shown each time in the last 90 days', async () => {
    const get = await openService(longBefore);
    const near = new Date('2030-09-07T00:00:00Z');
    expect((await get(near)).stderr).toBe(willGo);
    expect((await get(near)).stderr).toBe(willGo);
  });

  it('is left out by -q', async () => {
    const get = await openService(lastSecond);
    expect(await get(lastSecond, '-q')).toEqual({ stdout: '2\n', stderr: '', exitCode: 0 });
  });

  it('does not need a home that can be written', async () => {
    const service = await startService({ pets: [{ name: 'Rex', categoryId: 7n }] });
    onTestFinished(() => service.close());
    const env = { ...stagingAt(service.url, service.key), XDG_STATE_HOME: '/dev/null/nowhere' };
    expect(await runPetstore(['get', '1', '-o', 'csv'], { env })).toMatchObject({ exitCode: 0 });
  });
});

describe('a pet that the list does not hold', () => {
  it('is not found when the whole list was read: 5', async () => {
    const service = await startService({ asOf: sunset });
    onTestFinished(() => service.close());
    const run = await runPetstore(['get', '9'], { env: stagingAt(service.url, service.key) });
    expect(run).toMatchObject({ stdout: '', exitCode: 5 });
    expect(run.stderr).toContain('There is no pet 9 in staging.');
  });

  it('may exist when the list does not say whether it goes on: 10', async () => {
    const page = Array.from({ length: 100 }, (_, id) => `{"id":${id},"name":"x","categoryId":1}`);
    const server = await startHttpServer(respondJson(200, `[${page}]`));
    const run = await runPetstore(['get', '999', '--via', 'list'], { env: stagingAt(server.url) });
    expect(run).toMatchObject({ stdout: '', exitCode: 10 });
  });
});
