import { readFileSync } from 'node:fs';
import { messageOf } from '../../errors.ts';
import type { Variables } from '../files/paths.ts';

/** The certificate authorities this process trusts beyond its own. */
export interface ExtraAuthorities {
  file: string;
  count: number;
  /** Why the file is of no use; the runtime itself only warns and goes on without it. */
  problem: string | undefined;
}

/** What `NODE_EXTRA_CA_CERTS` brings; undefined when it is not set. */
export function readExtraAuthorities(variables: Variables): ExtraAuthorities | undefined {
  const file = variables.NODE_EXTRA_CA_CERTS;
  if (!file) return undefined;
  try {
    const count = readFileSync(file, 'utf8').split('-----BEGIN CERTIFICATE-----').length - 1;
    return { file, count, problem: count === 0 ? 'it holds no certificate in PEM' : undefined };
  } catch (error) {
    return { file, count: 0, problem: messageOf(error) };
  }
}

/** Whether certificates are checked at all (`NODE_TLS_REJECT_UNAUTHORIZED`). */
export function checksCertificates(variables: Variables): boolean {
  return variables.NODE_TLS_REJECT_UNAUTHORIZED !== '0';
}
