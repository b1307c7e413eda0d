import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startKeychainProcess } from '../../../src/config/keys/keychain-process.ts';
import { installKeytarWithoutLibsecret } from '../../support/hide-libsecret.ts';
import { canOpenKeyring, openBus } from '../../support/keyring.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { findProcessIds, listProcesses } from '../../support/processes.ts';
import { openSilentSession } from '../../support/silent-session.ts';
import { waitFor } from '../../support/wait-for.ts';
import { account, child, childFile, openKeychain, shortLimits } from './open-keychain.ts';

describe.skipIf(process.platform !== 'linux')('a keychain that cannot be used', () => {
  it.for([
    { machine: 'without a session', env: {} },
    { machine: 'with a display but no session', env: { DISPLAY: ':0' } },
    {
      machine: 'whose session nobody listens on',
      env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus' },
    },
  ])('is unavailable on a machine $machine', async ({ env }) => {
    await expect(openKeychain(env).get(account)).rejects.toMatchObject({
      code: 'cli_keychain_unavailable',
    });
  });

  it.skipIf(!canOpenKeyring)('is unavailable on a session without a keyring', async () => {
    const bus = await openBus();
    onTestFinished(() => bus.stop());
    await expect(openKeychain(bus.env).get(account)).rejects.toMatchObject({
      code: 'cli_keychain_unavailable',
      details: [expect.stringContaining('org.freedesktop.secrets')],
    });
  });

  it.skipIf(process.platform !== 'linux')(
    'names the package when libsecret is missing',
    async () => {
      const folder = await makeFolder();
      await installKeytarWithoutLibsecret(folder);
      const file = path.join(folder, 'child.cjs');
      await cp(childFile, file);
      const keychain = openKeychain({}, { child: { file: process.execPath, args: [file] } });
      await expect(keychain.get(account)).rejects.toMatchObject({
        code: 'cli_keychain_library_missing',
        details: [expect.stringContaining('libsecret-0.so.0: cannot open shared object file')],
        next: [expect.stringContaining('apt install libsecret-1-0'), expect.anything()],
      });
    },
  );

  it('ends a child that hangs within the time limit, and leaves none behind', async () => {
    const session = await openSilentSession();
    const keychain = openKeychain(session, { limits: shortLimits });
    const start = performance.now();
    await expect(keychain.get(account)).rejects.toMatchObject({ code: 'cli_keychain_timeout' });
    expect(performance.now() - start).toBeLessThan(2_300);
    expect(await listProcesses(`${session.DBUS_SESSION_BUS_ADDRESS}`)).toEqual([]);
  });

  it('ends the child when the program is asked to stop', async () => {
    const stop = new AbortController();
    const session = await openSilentSession();
    const asking = openKeychain(session, { signal: stop.signal }).get(account);
    setImmediate(() => stop.abort());
    await expect(asking).rejects.toMatchObject({ code: 'cli_keychain_unavailable' });
    // The call is over as soon as its child is told to end; the system takes a moment to end it.
    await waitFor(async () =>
      expect(await listProcesses(`${session.DBUS_SESSION_BUS_ADDRESS}`)).toEqual([]),
    );
  });

  it.skipIf(process.platform !== 'linux')(
    'hears nothing from a child that was started ahead before it is asked',
    async () => {
      let connections = 0;
      const session = await openSilentSession(() => {
        connections += 1;
      });
      const started = startKeychainProcess(child, { ...process.env, ...session });
      onTestFinished(started.end);
      // It has loaded its library, and waits for what it is to ask: it reads (0 on x64, 63 on arm64) from descriptor 0.
      await waitFor(async () => {
        const [id = ''] = await findProcessIds(session.DBUS_SESSION_BUS_ADDRESS);
        expect(await readFile(`/proc/${id}/maps`, 'utf8')).toContain('libsecret');
        expect(await readFile(`/proc/${id}/syscall`, 'utf8')).toMatch(/^(0|63) 0x0 /);
      });
      expect(connections).toBe(0);
      const stop = new AbortController();
      const asking = openKeychain(session, { started, signal: stop.signal }).get(account);
      await waitFor(() => expect(connections).toBe(1));
      stop.abort();
      await expect(asking).rejects.toMatchObject({ code: 'cli_keychain_unavailable' });
    },
  );

  it('replaces a child that was started ahead and died', async () => {
    const dying = { file: process.execPath, args: ['-e', 'process.abort()'] };
    const living = ['-e', `console.log('{"value":"from another"}')`];
    for (const isDead of [true, false]) {
      const started = startKeychainProcess(dying, process.env);
      if (isDead) await waitFor(() => expect(started.isWaiting()).toBe(false));
      const keychain = openKeychain(
        {},
        { started, child: { file: process.execPath, args: living } },
      );
      expect(await keychain.get(account)).toBe('from another');
    }
  });

  it('replaces a child that was started ahead within the same time limit', async () => {
    const run = (code: string) => ({ file: process.execPath, args: ['-e', code] });
    const started = startKeychainProcess(run('setTimeout(process.abort, 1_000)'), process.env);
    const another = run('setTimeout(() => {}, 60_000)');
    const keychain = openKeychain({}, { started, child: another, limits: shortLimits });
    const start = performance.now();
    await expect(keychain.get(account)).rejects.toMatchObject({ code: 'cli_keychain_timeout' });
    expect(performance.now() - start).toBeLessThan(2_300);
  });

  it('a child that was started ahead is ended, and not asked any more', async () => {
    const session = await openSilentSession();
    const started = startKeychainProcess(child, { ...process.env, ...session });
    started.end();
    expect(started.isWaiting()).toBe(false);
    await waitFor(async () =>
      expect(await listProcesses(session.DBUS_SESSION_BUS_ADDRESS)).toEqual([]),
    );
  });

  it('says after a moment what it waits for, when a person can unlock', async () => {
    const waited: number[] = [];
    const start = performance.now();
    const silent = await makeFolder();
    const file = path.join(silent, 'slow.cjs');
    await writeFile(file, `setTimeout(() => console.log('{"value":"late"}'), 1200)`);
    const keychain = openKeychain(
      { DISPLAY: ':0' },
      {
        child: { file: process.execPath, args: [file] },
        canAsk: () => true,
        limits: shortLimits,
        onWait: () => waited.push(performance.now() - start),
      },
    );
    expect(await keychain.get(account)).toBe('late');
    expect(waited).toHaveLength(1);
    expect(waited[0]).toBeGreaterThan(450);
  });

  it.each([
    ['crashes', 'process.abort()', /SIGABRT/],
    ['fails', 'process.exit(7)', /failed \(7\)/],
    ['prints nonsense', 'console.log("[]")', /no result/],
  ])('reports a child that %s', async (_, code, detail) => {
    const keychain = openKeychain({}, { child: { file: process.execPath, args: ['-e', code] } });
    await expect(keychain.get(account)).rejects.toMatchObject({
      code: 'cli_keychain_unavailable',
      details: [expect.stringMatching(detail)],
    });
  });

  it('reports a child that cannot be started', async () => {
    const keychain = openKeychain({}, { child: { file: '/nonexistent/node', args: [] } });
    await expect(keychain.get(account)).rejects.toMatchObject({
      details: [expect.stringContaining('ENOENT')],
    });
  });
});

it.skipIf(process.platform !== 'linux')('a child whose parent is gone ends itself', async () => {
  const env = { ...process.env, ...(await openSilentSession()) };
  const orphan = spawn(process.execPath, [childFile], { env, stdio: ['pipe', 'ignore', 'ignore'] });
  const request = { call: 'get', service: 'petstore-cli', account, timeLimit: 100 };
  orphan.stdin.end(JSON.stringify(request));
  expect(await once(orphan, 'exit')).toEqual([null, 'SIGKILL']);
});
