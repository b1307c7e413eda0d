import { once } from 'node:events';
import { copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { connect } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  readTlsIdentity,
  reloadTlsIdentity,
} from '../../../../src/service/http/server/tls-identity.ts';
import { createLog } from '../../../../src/service/monitoring/log.ts';
import { SettingError } from '../../../../src/service/settings.ts';
import { sendRaw } from '../../../support/http.ts';
import { makeFolder } from '../../../support/make-folder.ts';
import { startService } from '../../../support/service.ts';
import { within } from '../../../support/within.ts';

const certificates = path.join(import.meta.dirname, '../../../support/certificates');

/** Files that `use` fills with one of the two identities. */
async function openFiles() {
  const folder = await makeFolder();
  const files = { tlsCert: path.join(folder, 'crt.pem'), tlsKey: path.join(folder, 'key.pem') };
  return {
    ...files,
    use: async (name: 'first' | 'second') => {
      await copyFile(path.join(certificates, `${name}.crt.pem`), files.tlsCert);
      await copyFile(path.join(certificates, `${name}.key.pem`), files.tlsKey);
    },
  };
}

/** Requests a page over TLS, whoever signed, and gives the name in the certificate and the response. */
async function ask(url: string, key: string): Promise<{ name: string; response: string }> {
  const socket = connect({ port: Number(new URL(url).port), rejectUnauthorized: false });
  socket.write(
    `GET /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
  );
  const chunks: Buffer[] = [];
  let name = '';
  socket.on('secureConnect', () => {
    name = String(socket.getPeerCertificate().subject.CN);
  });
  for await (const chunk of socket) chunks.push(chunk);
  return { name, response: Buffer.concat(chunks).toString('latin1') };
}

describe('TLS', () => {
  it('serves the contract over https', async () => {
    const files = await openFiles();
    await files.use('first');
    const service = await startService({ overrides: files });
    onTestFinished(service.close);
    expect(service.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/v1$/);
    const { name, response } = await ask(service.url, service.key);
    expect(name).toBe('first.test');
    expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\[\]$/);
  });

  it('is bounded like plain HTTP: a connection on which nothing moves is closed', async () => {
    const files = await openFiles();
    await files.use('first');
    const limits = { idleTimeout: 100, headersTimeout: 60_000, requestTimeout: 60_000 };
    const service = await startService({ overrides: { ...files, limits } });
    onTestFinished(service.close);
    const socket = connect({ port: Number(new URL(service.url).port), rejectUnauthorized: false });
    onTestFinished(() => void socket.destroy());
    await within(once(socket.resume(), 'secureConnect'), 'the handshake takes place');
    const closed = once(socket, 'close');
    await within(closed, 'a connection on which nothing moves is closed');
  });

  it('does not respond to plain HTTP', async () => {
    const files = await openFiles();
    await files.use('first');
    const service = await startService({ overrides: files });
    onTestFinished(service.close);
    const response = await sendRaw(service.url, 'GET /v1/pets HTTP/1.1\r\n\r\n').catch(() => '');
    expect(response).not.toContain('200');
  });

  it('shows the new certificate after a reload, and keeps the old one when the new is unusable', async () => {
    const files = await openFiles();
    await files.use('first');
    const lines: string[] = [];
    const service = await startService({
      overrides: { ...files, logLevel: 'info', writeLog: (line) => void lines.push(line) },
    });
    onTestFinished(service.close);
    await files.use('second');
    expect((await ask(service.url, service.key)).name).toBe('first.test');
    service.reloadTls();
    expect((await ask(service.url, service.key)).name).toBe('second.test');
    await writeFile(files.tlsKey, 'broken');
    service.reloadTls();
    expect((await ask(service.url, service.key)).name).toBe('second.test');
    const entries = lines.map((line) => JSON.parse(line)).slice(1);
    expect(entries).toMatchObject([
      { level: 'info', message: 'certificate reloaded' },
      {
        ...{ level: 'error', message: 'the certificate was not reloaded' },
        reason: expect.stringContaining(`--tls-cert ${files.tlsCert}, --tls-key ${files.tlsKey}: `),
      },
    ]);
  });

  it('may be reloaded by a service that logs nothing, or errors only', async () => {
    const files = await openFiles();
    const lines: string[] = [];
    reloadTlsIdentity(
      [],
      files,
      createLog(() => {}, 'silent'),
    );
    await files.use('first');
    reloadTlsIdentity(
      [],
      files,
      createLog((line) => void lines.push(line), 'error'),
    );
    expect(lines).toEqual([]);
  });

  it('needs both of its files: nothing is read or reloaded otherwise', async () => {
    const lines: string[] = [];
    const log = createLog((line) => void lines.push(line), 'info');
    const { tlsCert, tlsKey } = await openFiles();
    for (const files of [{}, { tlsCert }, { tlsKey }]) {
      expect(readTlsIdentity(files)).toBeUndefined();
      reloadTlsIdentity([], files, log);
    }
    expect(lines).toEqual([]);
  });

  it.each(['missing', 'broken', 'of another key'])(
    'refuses to start with a certificate that is %s',
    async (fault) => {
      const files = await openFiles();
      if (fault !== 'missing') await files.use('first');
      if (fault === 'broken') await writeFile(files.tlsCert, 'broken');
      if (fault === 'of another key')
        await copyFile(path.join(certificates, 'second.crt.pem'), files.tlsCert);
      const starting = startService({ overrides: files });
      await expect(starting).rejects.toThrow(SettingError);
      await expect(starting).rejects.toThrow(files.tlsCert);
    },
  );
});
