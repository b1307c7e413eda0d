import type { Environments, Target } from '../../config/environments/environments.ts';
import type { ApiKey } from '../../config/keys/keys.ts';
import {
  readExtraAuthorities,
  requireCertificateChecks,
} from '../../config/settings/network-settings.ts';
import { findProxy, readNoProxy, stripCredentials } from '../../config/settings/proxy.ts';
import { describeSource } from '../../config/settings/setting.ts';
import { environmentVariables, type Variables } from '../../config/variables.ts';
import { GET_PET_DEPRECATED, GET_PET_SUNSET } from '../../contract/operations.ts';
import type { CheckLine } from '../../contract/outputs/doctor.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { shellOf } from '../../shell.ts';
import { formatAgo, formatUntil } from '../../terminal/text/time.ts';

/** What one check found. A check may also throw what a command would end with. */
export type Finding = Pick<CheckLine, 'state' | 'message'> & Partial<CheckLine>;

export function pass(message: string): Finding {
  return { state: 'pass', message };
}

export function warn(message: string, ...next: string[]): Finding {
  return { state: 'warn', message, next };
}

/** What was not checked, and why. */
export function skip(message: string): Finding {
  return { state: 'skip', message };
}

function fail(message: string, ...next: string[]): Finding {
  return { state: 'fail', message, next };
}

const DAY_MS = 86_400_000;
const OLDEST_NODE = '20.19';

/** @param versions of the runtime, as `process.versions` has them. */
export function checkRuntime(versions: Readonly<Record<string, string | undefined>>): Finding {
  if (versions.bun !== undefined) return pass('the standalone program');
  const isNewEnough = OLDEST_NODE.localeCompare(versions.node ?? '', 'en', { numeric: true }) <= 0;
  if (isNewEnough) return pass(`Node ${versions.node}`);
  return {
    ...fail(`Node ${versions.node} is older than ${OLDEST_NODE}`),
    details: [`install Node ${OLDEST_NODE} or newer`],
  };
}

/** @param url the base URL of the selected environment, when there is one. */
export function checkProxy(variables: Variables, url: string | undefined): Finding {
  const { httpsProxy } = environmentVariables;
  const { setting, unused } = findProxy(variables, url);
  const { value, source } = setting;
  if (unused !== undefined) {
    return warn(
      `none in use: ${unused} is not used, only ${httpsProxy.name} is`,
      shellOf().copyVariable(httpsProxy.name, unused),
    );
  }
  if (value === undefined) {
    return pass(
      source.kind === 'default' ? 'none in use' : `none in use: by ${describeSource(source)}`,
    );
  }
  const list = readNoProxy(variables);
  const exceptions = list === undefined ? '' : `, except for ${list.value}`;
  return pass(`${stripCredentials(value)} (${describeSource(source)})${exceptions}`);
}

export function checkCertificates(variables: Variables): Finding {
  const { extraAuthorities } = environmentVariables;
  requireCertificateChecks(variables);
  const extra = readExtraAuthorities(variables);
  if (extra === undefined) return pass('the certificate authorities that come with the program');
  const { file, count, problem } = extra;
  if (problem === undefined) return pass(`and ${count} more from ${file}`);
  return warn(
    `${extraAuthorities.name} cannot be used: ${problem}`,
    shellOf().unsetVariable(extraAuthorities.name),
  );
}

/** Retries, `Retry-After` and certificates tolerate a clock that is off by less. */
const TOLERATED_SKEW_MS = 60_000;

/** A clock that is far off breaks certificates and `Retry-After`. @param served when the service responded, as it says. */
export function checkClock(now: Date, served: Date | undefined, platform: string): Finding {
  const text = now.toISOString();
  const skew = served === undefined ? 0 : now.getTime() - served.getTime();
  if (Math.abs(skew) > TOLERATED_SKEW_MS) {
    const minutes = Math.round(Math.abs(skew) / 60_000);
    const order = `${minutes} min ${skew > 0 ? 'ahead of' : 'behind'} the service`;
    return fail(`${text}: this machine's clock is ${order}`, ...setClockLines(platform));
  }
  if (now >= GET_PET_DEPRECATED) return pass(text);
  return warn(`${text} is before this version was built`, ...setClockLines(platform));
}

function setClockLines(platform: string): string[] {
  if (platform === 'win32') return ['w32tm /resync'];
  return platform === 'darwin'
    ? ['sudo sntp -sS time.apple.com']
    : ['sudo timedatectl set-ntp true'];
}

export function checkDeprecation(now: Date): Finding {
  const left = Math.ceil((GET_PET_SUNSET.getTime() - now.getTime()) / DAY_MS);
  const date = GET_PET_SUNSET.toISOString().slice(0, 10);
  if (left > 90) return pass(`GET /pets/{petId} works until ${date}`);
  const when = left > 0 ? `is removed in ${left} days` : `was removed on ${date}`;
  return warn(
    `GET /pets/{petId} ${when}; petstore get then reads the list`,
    'petstore help deprecation',
  );
}

export function checkEnvironment(environments: Environments, now: Date): Finding {
  const { source } = environments.selected();
  const { name, url, protected: isProtected } = environments.target();
  const isTemporary = source.kind === 'config' && source.member === 'temporary';
  const temporary = isTemporary ? environments.temporary() : undefined;
  const until = temporary ? ` · until ${formatUntil(temporary.until, now)}` : '';
  const words = `${name} (${describeSource(source)}) · ${url}${isProtected ? ' · protected' : ''}${until}`;
  const broken = environments.names().filter((other) => hasBadUrl(environments, other));
  if (broken.length === 0) return pass(words);
  const next = broken.map((other) => `petstore env set ${other} --url https://pets.example.com/v1`);
  return warn(`${words}; the URL of ${broken.join(', ')} cannot be used`, ...next);
}

function hasBadUrl(environments: Environments, name: string): boolean {
  if (environments.describe(name).url.value === undefined) return false;
  try {
    environments.target(name);
    return false;
  } catch {
    return true;
  }
}

/** @param found receives the key. */
export async function checkKey(
  { keys, clock }: Pick<Context, 'keys' | 'clock'>,
  target: Target | undefined,
  found: { key?: ApiKey },
): Promise<Finding> {
  if (target === undefined) return skip('not checked: a key belongs to a URL');
  found.key = await keys.find(target);
  const { lastFour, from } = found.key;
  const words = `ending ${lastFour}, from ${from}`;
  const end = keys.recallInfo(target)?.expiresAt;
  if (end === undefined || end > clock()) return pass(words);
  const { name } = target;
  throw new UserError(
    'cli_key_rejected',
    `The API key for ${name} expired ${formatAgo(end, clock())}`,
    {
      details: [words, 'whoever runs the service creates a new one: petstore keys create'],
      next: [`petstore auth login --env ${name}`],
    },
  );
}
