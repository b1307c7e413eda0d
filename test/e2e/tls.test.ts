import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { expect, it, onTestFinished } from 'vitest';
import {
  type CertificateFiles,
  type CertificateOptions,
  writeCertificate,
} from '../support/certificate.ts';
import { portOf, respondJson, startHttpServer } from '../support/http-server.ts';
import { runPetstore } from '../support/run-petstore.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

async function createCertificate(options?: CertificateOptions): Promise<CertificateFiles> {
  return writeCertificate(await createTemporaryFolder(), 'server', options);
}

async function startHttpsServer({ cert, key }: CertificateFiles): Promise<number> {
  const pair = { cert: readFileSync(cert), key: readFileSync(key) };
  const server = createServer(pair, respondJson(200, '[]'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return portOf(server);
}

const list = (port: number, authority?: string) =>
  runPetstore('list --json', {
    variables: {
      PETSTORE_STAGING_URL: `https://localhost:${port}/v1`,
      PETSTORE_API_KEY: 'a-key',
      ...(authority !== undefined && { NODE_EXTRA_CA_CERTS: authority }),
    },
  });

async function readMessage(run: ReturnType<typeof list>): Promise<string> {
  const { stderr, exitCode } = await run;
  expect(exitCode).toBe(8);
  return JSON.parse(stderr).message;
}

it('a certificate of an authority that was named is accepted', async () => {
  const certificate = await createCertificate();
  const port = await startHttpsServer(certificate);
  expect(await list(port, certificate.cert)).toMatchObject({ stdout: '[]\n', stderr: '' });
});

it('a certificate of an unknown authority is refused, and the variable for it named', async () => {
  const port = await startHttpsServer(await createCertificate());
  const { stderr, exitCode } = await list(port);
  expect(exitCode).toBe(8);
  expect(stderr).toContain('is from an authority that this computer does not know');
  expect(stderr).toContain('NODE_EXTRA_CA_CERTS');
});

it('a certificate for another name is refused, and the name said', async () => {
  const certificate = await createCertificate({ host: 'pets.test' });
  const port = await startHttpsServer(certificate);
  const { stderr } = await list(port, certificate.cert);
  expect(JSON.parse(stderr)).toMatchObject({
    message: `The certificate at localhost:${port} is for another name.`,
    details: expect.arrayContaining(['it is for pets.test, 127.0.0.1']),
  });
});

it('a certificate that has expired is refused', async () => {
  const certificate = await createCertificate({ days: -1 });
  const port = await startHttpsServer(certificate);
  expect(await readMessage(list(port, certificate.cert))).toBe(
    `The certificate of localhost:${port} has expired, or this computer's clock is wrong.`,
  );
});

it('plain HTTP at an https address is said to be plain HTTP', async () => {
  const { url } = await startHttpServer(respondJson(200, '[]'));
  const port = Number(new URL(url).port);
  expect(await readMessage(list(port))).toBe(`localhost:${port} speaks plain HTTP, not https.`);
});
