import { readFileSync } from 'node:fs';
import { messageOf, UserError } from '../../errors.ts';
import { shellOf } from '../../shell.ts';
import { environmentVariables, readVariable, type Variables } from '../variables.ts';

/** The certificate authorities this process trusts beyond its own. */
export interface ExtraAuthorities {
  file: string;
  count: number;
  /** Why the file cannot be used; the runtime itself only warns and goes on without it. */
  problem: string | undefined;
}

/** What the file of more certificate authorities holds; undefined when none is named. */
export function readExtraAuthorities(variables: Variables): ExtraAuthorities | undefined {
  const file = readVariable(environmentVariables.extraAuthorities, variables)?.value;
  if (file === undefined) return undefined;
  try {
    const count = readFileSync(file, 'utf8').split('-----BEGIN CERTIFICATE-----').length - 1;
    return { file, count, problem: count === 0 ? 'it has no certificate in PEM' : undefined };
  } catch (error) {
    return { file, count: 0, problem: messageOf(error) };
  }
}

/** @throws UserError `cli_invalid_config` when the certificate of a service would not be checked: anybody on the way could read the key. */
export function requireCertificateChecks(variables: Variables): void {
  const { checkCertificates: check, extraAuthorities } = environmentVariables;
  if (readVariable(check, variables)?.value !== '0') return;
  throw new UserError(
    'cli_invalid_config',
    `${check.name}=0 would let anybody on the network path read the API key.`,
    {
      details: [`a certificate of your own authority is accepted with ${extraAuthorities.name}`],
      next: [
        shellOf().unsetVariable(check.name),
        shellOf().setVariable(extraAuthorities.name, '/path/to/authority.pem'),
      ],
    },
  );
}
