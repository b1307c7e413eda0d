import { readFileSync } from 'node:fs';
import { messageOf, UserError } from '../errors.ts';
import type { Variables } from './variables.ts';

/**
 * The file of more certificate authorities, once it is known to hold some; undefined without one. Node itself would only
 * print a warning among the lines of stderr. @throws UserError `cli_invalid_config`.
 */
export function findAuthorities({ NODE_EXTRA_CA_CERTS: file }: Variables): string | undefined {
  if (!file) return undefined;
  const problem = findProblem(file);
  if (problem === undefined) return file;
  throw new UserError('cli_invalid_config', `${file} cannot be used: ${problem}.`, {
    details: ['NODE_EXTRA_CA_CERTS names it, for more certificate authorities'],
  });
}

function findProblem(file: string): string | undefined {
  try {
    const hasCertificate = /-----BEGIN (?:\w+ )?CERTIFICATE-----/.test(readFileSync(file, 'utf8'));
    return hasCertificate ? undefined : 'it holds no certificate in PEM';
  } catch (error) {
    return messageOf(error);
  }
}
