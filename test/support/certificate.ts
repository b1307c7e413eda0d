import { execFileSync } from 'node:child_process';
import path from 'node:path';

export interface CertificateFiles {
  /** In PEM; it is its own authority. */
  readonly cert: string;
  readonly key: string;
}

export interface CertificateOptions {
  readonly host?: string;
  /** From now; negative: it has expired. */
  readonly days?: number;
}

/** Writes a certificate that is signed by its own key, and that key, into a folder. */
export function writeCertificate(
  folder: string,
  name: string,
  { host = 'localhost', days = 2 }: CertificateOptions = {},
): CertificateFiles {
  const cert = path.join(folder, `${name}.crt`);
  const key = path.join(folder, `${name}.key`);
  const request = path.join(folder, `${name}.csr`);
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc'];
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${host},IP:127.0.0.1`];
  runOpenssl(['req', '-new', ...curve, ...subject, '-keyout', key, '-out', request]);
  // `openssl req -x509` takes no negative number of days.
  const signed = ['-signkey', key, '-days', String(days), '-copy_extensions', 'copyall'];
  runOpenssl(['x509', '-req', '-in', request, ...signed, '-out', cert]);
  return { cert, key };
}

export function runOpenssl(words: readonly string[]): void {
  execFileSync('openssl', words, { stdio: 'pipe' });
}
