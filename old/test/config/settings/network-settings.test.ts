import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  readExtraAuthorities,
  requireCertificateChecks,
} from '../../../src/config/settings/network-settings.ts';
import { makeFolder } from '../../support/make-folder.ts';

const certificate = '-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n';

describe('the file of more certificate authorities', () => {
  it.each([
    ['', 0, 'it has no certificate in PEM'],
    [certificate, 1, undefined],
    [certificate.repeat(2), 2, undefined],
  ])('%#: is counted', async (text, count, problem) => {
    const file = path.join(await makeFolder(), 'authorities.pem');
    await writeFile(file, text);
    const read = readExtraAuthorities({ NODE_EXTRA_CA_CERTS: file });
    expect(read).toEqual({ file, count, problem });
  });

  it('that cannot be read is said, and none is none', () => {
    expect(readExtraAuthorities({ NODE_EXTRA_CA_CERTS: '/nowhere/a.pem' })).toEqual({
      ...{ file: '/nowhere/a.pem', count: 0 },
      problem: 'there is no such file or folder',
    });
    expect(readExtraAuthorities({})).toBeUndefined();
  });
});

describe('certificates are always checked', () => {
  it('0 is refused, with what to do instead', () => {
    expect(() => requireCertificateChecks({ NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toThrow(
      expect.objectContaining({
        code: 'cli_invalid_config',
        message:
          'NODE_TLS_REJECT_UNAUTHORIZED=0 would let anybody on the network path read the API key.',
        details: ['a certificate of your own authority is accepted with NODE_EXTRA_CA_CERTS'],
        next: [
          'unset NODE_TLS_REJECT_UNAUTHORIZED',
          'export NODE_EXTRA_CA_CERTS=/path/to/authority.pem',
        ],
      }),
    );
  });

  it.each([{}, { NODE_TLS_REJECT_UNAUTHORIZED: '1' }, { NODE_TLS_REJECT_UNAUTHORIZED: '' }])(
    '%j is not',
    (variables) => {
      expect(() => requireCertificateChecks(variables)).not.toThrow();
    },
  );
});
