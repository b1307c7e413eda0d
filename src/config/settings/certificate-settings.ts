import { readFileSync } from 'node:fs';
import { messageOf } from '../../errors.ts';
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

/** Whether certificates are checked at all. */
export function checksCertificates(variables: Variables): boolean {
  return readVariable(environmentVariables.checkCertificates, variables)?.value !== '0';
}
