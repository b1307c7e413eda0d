import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { watchSignals } from '../../src/program/signals.ts';
import { startHttpServer } from '../support/http-server.ts';
import { connectTo, startPetstore } from '../support/run-petstore.ts';
import { waitFor } from '../support/wait-for.ts';

/** A service that takes requests and never responds. */
async function startSilentServer() {
  const { url, requests } = await startHttpServer(() => {});
  const variables = connectTo({ url });
  const waitForRequest = () =>
    waitFor(() => {
      if (requests.length === 0) throw new Error('no request yet');
    });
  return { variables, waitForRequest };
}

describe('a signal ends the command, and the shell sees by which one', () => {
  it.each<[NodeJS.Signals, string]>([
    ['SIGINT', 'cli_interrupted'],
    ['SIGTERM', 'cli_terminated'],
  ])('%s of a read', async (signal, code) => {
    const { variables, waitForRequest } = await startSilentServer();
    const { child, ended } = await startPetstore('list --json', { variables });
    await waitForRequest();
    child.kill(signal);
    const run = await ended;
    expect({ ...run, stderr: JSON.parse(run.stderr) }).toMatchObject({
      ...{ stdout: '', signal },
      stderr: { code, message: 'Stopped.' },
    });
  });

  it('says of an add that it may have been applied', async () => {
    const { variables, waitForRequest } = await startSilentServer();
    const line = 'add Rex --category 7 --json';
    const { child, ended } = await startPetstore(line, { variables });
    await waitForRequest();
    child.kill('SIGINT');
    expect(JSON.parse((await ended).stderr)).toMatchObject({
      ...{ code: 'cli_interrupted', exitCode: 130, outcome: 'unknown' },
      try: ['petstore list --newest --env staging --output json -- Rex'],
    });
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('after %s another one of any kind, at once', (first) => {
    const { source } = createSource({ stdin: true, stdout: true, stderr: true });
    const { signal } = watchSignals(source);
    source.emit(first);
    expect(signal.aborted).toBe(true);
    // With nobody listening, the system ends the program.
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    expect(signals.map((name) => source.listenerCount(name))).toEqual([0, 0, 0]);
  });
});

it('goes on after a hangup where nothing is a terminal', async () => {
  const { variables, waitForRequest } = await startSilentServer();
  const { child, ended, stderr } = await startPetstore('list --timeout 1s --retries 0', {
    variables,
  });
  await waitForRequest();
  child.kill('SIGHUP');
  expect(await ended).toMatchObject({ exitCode: 8, signal: null });
  expect(stderr()).toContain('did not respond within 1 s');
});

describe('SIGHUP', () => {
  it.each([
    ['ends what has a terminal', [true, false, false], { aborted: true, sent: ['SIGHUP'] }],
    ['is ignored by what has none', [false, false, false], { aborted: false, sent: [] }],
  ])('%s', (_, [stdin = false, stdout = false, stderr = false], expected) => {
    const { source, sent } = createSource({ stdin, stdout, stderr });
    const { signal, resend } = watchSignals(source);
    source.emit('SIGHUP');
    resend();
    expect({ aborted: signal.aborted, sent }).toEqual(expected);
  });

  it('is left to a command that handles it', () => {
    const { source } = createSource({ stdin: true, stdout: true, stderr: true });
    const { signal, handleHangup } = watchSignals(source);
    const calls: string[] = [];
    handleHangup(() => calls.push('read the TLS files'));
    source.emit('SIGHUP');
    expect({ aborted: signal.aborted, calls }).toEqual({
      ...{ aborted: false, calls: ['read the TLS files'] },
    });
  });
});

describe('Windows', () => {
  it.each(['SIGHUP', 'SIGBREAK'] as const)('stops serve at %s as at SIGTERM', (name) => {
    const { source } = createSource({ stdin: true, stdout: true, stderr: true }, 'win32');
    const { signal, handleHangup } = watchSignals(source);
    // Its listener for SIGHUP, which no other program sends there.
    handleHangup(() => {});
    source.emit(name);
    expect(signal.aborted).toBe(true);
  });
});

function createSource(
  terminals: Record<'stdin' | 'stdout' | 'stderr', boolean>,
  platform: NodeJS.Platform = 'linux',
) {
  const sent: NodeJS.Signals[] = [];
  const source = Object.assign(new EventEmitter(), {
    stdin: Object.assign(new PassThrough(), { isTTY: terminals.stdin }),
    stdout: Object.assign(new PassThrough(), { isTTY: terminals.stdout }),
    stderr: Object.assign(new PassThrough(), { isTTY: terminals.stderr }),
    pid: 1,
    platform,
    kill: (_: number, signal: NodeJS.Signals) => sent.push(signal),
  });
  return { source, sent };
}
