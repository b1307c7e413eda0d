import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { connect } from 'node:tls';
import { pino } from 'pino';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { serviceLimits } from '../../src/service/limits.ts';
import { startService } from '../../src/service/start.ts';
import { parseDatabaseUrl } from '../../src/service/storage/database-url.ts';
import { openStore } from '../../src/service/storage/open-store.ts';
import { readTlsPair } from '../../src/service/tls.ts';
import { runOpenssl, writeCertificate } from '../support/certificate.ts';
import { testSettings } from '../support/settings.ts';
import { createTemporaryFolder, openTemporaryFolder } from '../support/temporary-folder.ts';

const folder = await openTemporaryFolder();
afterAll(folder.remove);
const inFolder = (name: string) => path.join(folder.path, name);
const first = writeCertificate(folder.path, 'first');
const second = writeCertificate(folder.path, 'second');

const made = {
  der: inFolder('der'),
  pkcs12: inFolder('p12'),
  encrypted: inFolder('encrypted'),
  legacy: inFolder('legacy'),
  empty: inFolder('empty'),
  broken: inFolder('broken'),
  folder: inFolder('folder'),
  missing: inFolder('missing'),
  short: inFolder('short'),
  shortKey: inFolder('shortKey'),
};
const password = ['-passout', 'pass:x'];
const pair = ['-in', first.cert, '-inkey', first.key];
runOpenssl(['x509', '-in', first.cert, '-outform', 'der', '-out', made.der]);
runOpenssl(['pkcs12', '-export', ...pair, ...password, '-out', made.pkcs12]);
runOpenssl(['pkcs8', '-topk8', '-in', first.key, ...password, '-out', made.encrypted]);
runOpenssl(['ec', '-in', first.key, '-aes256', ...password, '-out', made.legacy]);
writeFileSync(made.empty, '');
writeFileSync(made.broken, readFileSync(first.cert, 'utf8').replace(/MII./, 'AAAA'));
mkdirSync(made.folder);
const short = ['-newkey', 'rsa:512', '-noenc', '-keyout', made.shortKey, '-subj', '/CN=short'];
runOpenssl(['req', '-x509', ...short, '-out', made.short]);

describe('a certificate and its key', () => {
  it('are taken when they belong together', () => {
    expect(readTlsPair({ tlsCert: first.cert, tlsKey: first.key })).toEqual({
      cert: readFileSync(first.cert),
      key: readFileSync(first.key),
    });
  });

  it.each<[string, { cert?: string; key?: string }, RegExp]>([
    ['of two pairs', { key: second.key }, /does not belong to the certificate in/],
    ['in DER', { cert: made.der }, /it is DER or PKCS #12/],
    ['in PKCS #12', { cert: made.pkcs12, key: made.pkcs12 }, /it is DER or PKCS #12/],
    ['encrypted', { key: made.encrypted }, /the private key is encrypted/],
    ['encrypted the old way', { key: made.legacy }, /the private key is encrypted/],
    ['that are not there', { cert: made.missing }, /there is no such file/],
    ['that are folders', { key: made.folder }, /it is a folder/],
    ['empty', { cert: made.empty }, /the file is empty/],
    ['the wrong way round', { cert: first.key, key: first.cert }, /there is no certificate in PEM/],
    ['without a key', { key: first.cert }, /there is no private key in PEM/],
    ['too short to be used', { cert: made.short, key: made.shortKey }, /that cannot be used/],
    ['damaged', { cert: made.broken }, /the certificate is damaged/],
  ])('are refused in words: %s', (_, files, reason) => {
    const tlsFiles = { tlsCert: files.cert ?? first.cert, tlsKey: files.key ?? first.key };
    expect(() => readTlsPair(tlsFiles)).toThrow(reason);
    expect(() => readTlsPair(tlsFiles)).toThrow(/^The TLS file \S+ cannot be used: .*\.$/);
  });
});

describe('a service with TLS', () => {
  async function start() {
    const own = await createTemporaryFolder();
    const files = { tlsCert: path.join(own, 'cert.pem'), tlsKey: path.join(own, 'key.pem') };
    const use = ({ cert, key }: { cert: string; key: string }) => {
      copyFileSync(cert, files.tlsCert);
      copyFileSync(key, files.tlsKey);
    };
    use(first);
    const lines: string[] = [];
    const database = parseDatabaseUrl(path.join(own, 'petstore.db'));
    const service = await startService({
      settings: testSettings(files),
      store: await openStore(database, { isExclusive: true }),
      log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
      clock: () => new Date(),
      limits: { ...serviceLimits, headersMs: 300 },
    });
    onTestFinished(service.close);
    return { service, use, lines };
  }

  /** The common name in the certificate that the service shows. */
  async function readName(url: string): Promise<unknown> {
    const socket = connect({ port: Number(new URL(url).port), rejectUnauthorized: false });
    await new Promise((resolve, reject) => {
      socket.once('secureConnect', resolve).once('error', reject);
    });
    const { subject } = socket.getPeerCertificate();
    socket.destroy();
    return subject.CN;
  }

  it('takes the new pair when it is asked to, without a restart', async () => {
    const { service, use } = await start();
    expect(service.url).toMatch(/^https:/);
    expect(await readName(service.url)).toBe('first');
    use(second);
    service.reloadTls();
    expect(await readName(service.url)).toBe('second');
  });

  it('says in the log that a client did not get through the handshake', async () => {
    const { service, lines } = await start();
    await expect(fetch(service.url.replace('https', 'http'))).rejects.toThrow();
    expect(lines.at(-1)).toContain('the TLS handshake failed');
  });

  it('keeps the old pair, and says why, when the new one cannot be used', async () => {
    const { service, use, lines } = await start();
    use({ cert: second.cert, key: first.key });
    service.reloadTls();
    expect(await readName(service.url)).toBe('first');
    expect(lines.at(-1)).toContain('does not belong to the certificate');
  });
});
