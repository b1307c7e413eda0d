import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { windowsProgram } from './built-program.ts';
import { canRun } from './can-run.ts';
import { waitFor } from './wait-for.ts';

const run = promisify(execFile);
const service = 'org.freedesktop.secrets';
const collection = '/org/freedesktop/secrets/collection/login';

/** Whether this machine has the programs of a keyring. Elsewhere than on Linux a test would ask the person's own keychain. */
export const canOpenKeyring =
  process.platform === 'linux' &&
  canRun('dbus-daemon', 'dbus-send', 'gnome-keyring-daemon', 'secret-tool');

/** A private D-Bus session, with or without a keyring on it. */
export interface Session {
  /** What a process needs to find this session and no other. */
  env: { DBUS_SESSION_BUS_ADDRESS: string };
  /** Ends every process of the session and removes its folder. */
  stop(): Promise<void>;
}

/** A real gnome-keyring on a private session, its collection `login` unlocked. */
export interface Keyring extends Session {
  lock(): Promise<void>;
  /** The bytes that secret-tool finds for an account of petstore, or Windows; undefined when there are none. */
  lookup(account: string): Promise<string | undefined>;
}

export async function openBus(): Promise<Session> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-bus-'));
  const socket = join(folder, 'bus');
  await writeFile(join(folder, 'bus.conf'), describeBus(socket));
  const bus = spawn('dbus-daemon', [`--config-file=${folder}/bus.conf`, '--nofork'], {
    stdio: 'ignore',
  });
  const stop = async () => {
    await end(bus);
    await rm(folder, { recursive: true, force: true });
  };
  await settleOrStop(stop, () => access(socket));
  return { env: { DBUS_SESSION_BUS_ADDRESS: `unix:path=${socket}` }, stop };
}

export async function openKeyring(): Promise<Keyring> {
  const bus = await openBus();
  const folder = await mkdtemp(join(tmpdir(), 'petstore-keyring-'));
  await mkdir(join(folder, 'run'), { mode: 0o700 });
  const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_RUNTIME_DIR: join(folder, 'run') };
  const env = { ...process.env, ...home, ...bus.env };
  const daemon = spawn(
    'gnome-keyring-daemon',
    ['--foreground', '--unlock', '--components=secrets'],
    { env, stdio: ['pipe', 'ignore', 'ignore'] },
  );
  daemon.stdin?.end('password of the test keyring');
  const stop = async () => {
    await end(daemon);
    await bus.stop();
    await rm(folder, { recursive: true, force: true });
  };
  await settleOrStop(stop, () => assertLocked(env, false));
  return {
    env: bus.env,
    stop,
    lock: async () => {
      const lock = 'org.freedesktop.Secret.Service.Lock';
      await send(env, '/org/freedesktop/secrets', lock, `array:objpath:${collection}`);
      await waitFor(() => assertLocked(env, true));
    },
    lookup: (account) => lookUp(env, account),
  };
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

async function settleOrStop(stop: () => Promise<void>, check: () => Promise<void>): Promise<void> {
  try {
    await waitFor(check);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill();
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

async function lookUp(env: NodeJS.ProcessEnv, account: string): Promise<string | undefined> {
  if (windowsProgram !== undefined) return lookUpOnWindows(windowsProgram, account);
  const attributes = ['service', 'petstore-cli', 'account', account];
  const found = await run('secret-tool', ['lookup', ...attributes], { env }).catch(() => undefined);
  return found?.stdout;
}

/** In Windows' own Credential Manager. */
async function lookUpOnWindows(program: string, account: string): Promise<string | undefined> {
  const reader = join(dirname(program), 'read-credential');
  const found = await run(reader, [account]).catch(() => undefined);
  return found?.stdout;
}
