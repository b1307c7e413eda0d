import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { messageOf, UserError } from '../errors.ts';

/** A certificate chain and its private key, in PEM. */
export interface TlsPair {
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface TlsFiles {
  readonly tlsCert: string;
  readonly tlsKey: string;
}

/** Reads both files and makes sure that they belong together. @throws UserError `cli_file` which says why not */
export function readTlsPair({ tlsCert, tlsKey }: TlsFiles): TlsPair {
  const cert = readPem(tlsCert, 'certificate', /^-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----/m);
  const key = readPem(tlsKey, 'private key', /^-----BEGIN ([A-Z]+ )*PRIVATE KEY-----/m);
  if (/^-----BEGIN ENCRYPTED |^Proc-Type: 4,ENCRYPTED/m.test(key.toString('latin1')))
    throw refuseTlsFile(
      tlsKey,
      'the private key is encrypted; remove its passphrase with openssl pkey',
    );
  const certificate = parse(tlsCert, 'certificate', () => new X509Certificate(cert));
  const privateKey = parse(tlsKey, 'private key', () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(privateKey))
    throw refuseTlsFile(
      tlsKey,
      `this private key does not belong to the certificate in ${tlsCert}`,
    );
  // What is read may still be refused, such as a key that is too short.
  parse(tlsCert, 'certificate', () => createSecureContext({ cert, key }));
  return { cert, key };
}

function readPem(file: string, kind: string, start: RegExp): Buffer {
  const bytes = readBytes(file);
  if (start.test(bytes.toString('latin1'))) return bytes;
  if (bytes.length === 0) throw refuseTlsFile(file, 'the file is empty');
  if (bytes[0] === 0x30)
    throw refuseTlsFile(file, 'it is DER or PKCS #12 (.p12, .pfx); convert it to PEM with openssl');
  throw refuseTlsFile(file, `there is no ${kind} in PEM in it`);
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw refuseTlsFile(file, messageOf(error));
  }
}

function parse<Result>(file: string, kind: string, read: () => Result): Result {
  try {
    return read();
  } catch {
    throw refuseTlsFile(file, `the ${kind} is damaged, or of a kind that cannot be used`);
  }
}

function refuseTlsFile(file: string, reason: string): UserError {
  return new UserError('cli_file', `The TLS file ${file} cannot be used: ${reason}.`);
}
