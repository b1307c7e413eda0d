import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { isLinux, isWine, skipUnless } from './system.ts';
import { openTemporaryFolder } from './temporary-folder.ts';
import { waitFor } from './wait-for.ts';

const run = promisify(execFile);
const service = 'org.freedesktop.secrets';
const collection = '/org/freedesktop/secrets/collection/login';

/** A private D-Bus session, with or without a keyring on it. */
export interface Session {
  /** What a process needs to find this session and no other. */
  readonly variables: { readonly DBUS_SESSION_BUS_ADDRESS: string };
  /** Ends every process of the session and removes its folder. */
  close(): Promise<void>;
}

/** A real gnome-keyring on a session of its own, its collection `login` unlocked. */
export interface Keyring extends Session {
  lock(): Promise<void>;
  /** It takes calls and does not respond, until `resume`. */
  freeze(): void;
  resume(): void;
  /** The key of an account of petstore; undefined when there is none. */
  lookUp(account: string): Promise<string | undefined>;
}

/** A session without a keyring. */
export async function openSession(): Promise<Session> {
  skipUnless(isLinux, 'D-Bus');
  const folder = await openTemporaryFolder();
  const socket = path.join(folder.path, 'bus');
  await writeFile(path.join(folder.path, 'bus.conf'), describeBus(socket));
  const bus = spawn('dbus-daemon', [`--config-file=${folder.path}/bus.conf`, '--nofork'], {
    stdio: 'ignore',
  });
  const close = async () => {
    await end(bus);
    await folder.remove();
  };
  await waitOrClose(close, () => assertListening(socket));
  return { variables: { DBUS_SESSION_BUS_ADDRESS: `unix:path=${socket}` }, close };
}

/** A keychain that responds: on macOS and Windows the person's own, from which tests remove what they stored. */
export async function openKeychainForTests(): Promise<{
  readonly variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}> {
  if (isLinux && !isWine) return await openKeyring();
  return { variables: {}, close: async () => {} };
}

export async function openKeyring(): Promise<Keyring> {
  const session = await openSession();
  const folder = await openTemporaryFolder();
  const runtime = path.join(folder.path, 'run');
  await mkdir(runtime, { mode: 0o700 });
  const own = { HOME: folder.path, XDG_DATA_HOME: folder.path, XDG_RUNTIME_DIR: runtime };
  const env = { ...process.env, ...own, ...session.variables };
  const words = ['--foreground', '--unlock', '--components=secrets'];
  const daemon = spawn('gnome-keyring-daemon', words, { env, stdio: ['pipe', 'ignore', 'ignore'] });
  daemon.stdin.end('password of the test keyring');
  const close = async () => {
    await end(daemon);
    await session.close();
    await folder.remove();
  };
  await waitOrClose(close, () => assertLocked(env, false));
  return {
    variables: session.variables,
    close,
    async lock() {
      const call = 'org.freedesktop.Secret.Service.Lock';
      await send(env, '/org/freedesktop/secrets', call, `array:objpath:${collection}`);
      await waitFor(() => assertLocked(env, true));
    },
    freeze: () => void daemon.kill('SIGSTOP'),
    resume: () => void daemon.kill('SIGCONT'),
    async lookUp(account) {
      const words = ['lookup', 'service', 'petstore-cli', 'account', account];
      return (await run('secret-tool', words, { env }).catch(() => undefined))?.stdout;
    },
  };
}

/** The same for one test. */
export async function createKeyring(): Promise<Keyring> {
  const keyring = await openKeyring();
  onTestFinished(keyring.close);
  return keyring;
}

/** Without service directories: with them D-Bus may start a second, locked keyring of its own. */
function describeBus(socket: string): string {
  return `<busconfig>
  <type>session</type>
  <listen>unix:path=${socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`;
}

async function waitOrClose(close: () => Promise<void>, check: () => Promise<void>): Promise<void> {
  try {
    await waitFor(check);
  } catch (error) {
    await close();
    throw error;
  }
}

/** The socket is there a moment before the bus listens; a keyring that comes too early runs on without the bus. */
async function assertListening(socket: string): Promise<void> {
  const connection = connect(socket);
  await once(connection, 'connect');
  connection.destroy();
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function assertLocked(env: NodeJS.ProcessEnv, locked: boolean): Promise<void> {
  const property = ['string:org.freedesktop.Secret.Collection', 'string:Locked'];
  const reply = await send(env, collection, 'org.freedesktop.DBus.Properties.Get', ...property);
  if (!reply.includes(`boolean ${locked}`)) throw new Error(`login: ${reply}`);
}

async function send(env: NodeJS.ProcessEnv, ...message: string[]): Promise<string> {
  const options = ['--session', '--print-reply', '--reply-timeout=2000', `--dest=${service}`];
  return (await run('dbus-send', [...options, ...message], { env })).stdout;
}
