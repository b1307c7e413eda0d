import {
  checksCertificates,
  readExtraAuthorities,
  readProxySettings,
} from '../../config/settings/network-settings.ts';
import { environmentVariables, type Variables } from '../../config/variables.ts';
import { GET_PET_DEPRECATED, GET_PET_SUNSET } from '../../contract/operations.ts';
import { type Finding, fail, pass, warn } from './finding.ts';

const DAY_MS = 86_400_000;
const OLDEST_NODE = [20, 19];

/** @param versions of the runtime, as `process.versions` has them. */
export function checkRuntime(versions: Readonly<Record<string, string | undefined>>): Finding {
  if (versions.bun !== undefined) return pass('the standalone program');
  const [major = 0, minor = 0] = (versions.node ?? '').split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
  const isOld = major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
  if (!isOld) return pass(`Node ${versions.node}`);
  const oldest = OLDEST_NODE.join('.');
  return fail(`Node ${versions.node} is older than ${oldest}`, `install Node ${oldest} or newer`);
}

/** @param url the base URL of the selected environment, when there is one. */
export function checkProxy(variables: Variables, url: string | undefined): Finding {
  const settings = readProxySettings(variables, url ?? 'https://localhost.invalid/v1');
  if (settings === undefined) return pass('none in use');
  const exceptions = settings.noProxy === '' ? '' : `, except for ${settings.noProxy}`;
  // Without user and password.
  return pass(`${new URL(settings.httpsProxy).origin}${exceptions}`);
}

export function checkCertificates(variables: Variables): Finding {
  const { checkCertificates: check, extraAuthorities } = environmentVariables;
  if (!checksCertificates(variables)) {
    return warn(
      `${check.name}=0: anybody on the network path can read the API key`,
      `unset ${check.name}`,
    );
  }
  const extra = readExtraAuthorities(variables);
  if (extra === undefined) return pass('the certificate authorities that come with the program');
  const { file, count, problem } = extra;
  if (problem === undefined) return pass(`and ${count} more from ${file}`);
  return warn(
    `${extraAuthorities.name} cannot be used: ${problem}`,
    `unset ${extraAuthorities.name}`,
  );
}

/** A clock that is far off breaks certificates and `Retry-After`; --check-network compares it with the service's. */
export function checkClock(now: Date): Finding {
  const text = now.toISOString();
  if (now >= GET_PET_DEPRECATED) return pass(text);
  return warn(`${text} is before this version was built`, 'set the clock of this machine');
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
