import fc from 'fast-check';
import * as v from 'valibot';
import { afterAll, describe, expect, it } from 'vitest';
import { ErrorBody } from '../../src/contract/error.ts';
import { parseJson, stringifyJson } from '../../src/contract/json.ts';
import { Pet } from '../../src/contract/pet.ts';
import { expectFailure, openTestApp } from '../support/test-app.ts';

const rex = '{"name":"Rex","categoryId":7}';

/** Has one pet; nothing here depends on how many there are. */
const { app, key, post, get, call, createKey, close } = await openTestApp();
afterAll(close);
await post(rex);

describe('listPets (4.1)', () => {
  it.each([
    ['limit=0', /^limit: .*1 to 100/],
    ['limit=101', /^limit: .*1 to 100/],
    ['limit=', /^limit: /],
    ['limit=1.0', /^limit: /],
    ['limit=%2B1', /^limit: /],
    ['limit=01', /^limit: /],
    ['limit=9223372036854775808', /^limit: /],
    ['limit=1&limit=2', /^limit: /],
    ['limit[]=1', /^limit\[\]: is not a parameter/],
    ['status=Sold', /^status: must be one of available, pending, sold/],
    ['status=', /^status: /],
    ['status=%zz', /^status: /],
    ['status=sold&status=sold', /^status: /],
    ['order=newest', /^order: must be one of asc, desc/],
    ['offset=1', /^offset: is not a parameter/],
    ['__proto__=1', /^__proto__: is not a parameter/],
    ['=1', /^"": is not a parameter/],
    ['cursor=', /^cursor: must be a cursor/],
    ['cursor=YWZ0ZXIgLTE', /^cursor: /],
    // `after 02`, one more than an int64, and `after 1` with bits behind it that decoding ignores.
    ['cursor=YWZ0ZXIgMDI', /^cursor: /],
    ['cursor=YWZ0ZXIgOTIyMzM3MjAzNjg1NDc3NTgwOA', /^cursor: /],
    ['cursor=YWZ0ZXIgMR', /^cursor: /],
  ])('400 for ?%s, naming the parameter and what is allowed', async (query, message) => {
    expectFailure(await get(`/v1/pets?${query}`), 'invalid_request', message);
  });

  it('reads every parameter, however many there are', async () => {
    const query = `${'a=1&'.repeat(1_100)}limit=0`;
    expectFailure(await get(`/v1/pets?${query}`), 'invalid_request', /^limit: .*a: is not a/);
  });
});

describe('createPet (4.2)', () => {
  it('takes any other JSON for a mistake, never for a failure', async () => {
    const part = fc.oneof(fc.jsonValue(), fc.bigInt(), fc.constantFrom('Rex', 7, 'sold'));
    const record = { name: part, categoryId: part, status: part, id: part };
    await fc.assert(
      fc.asyncProperty(fc.record(record, { requiredKeys: [] }), async (value) => {
        const { statusCode, body } = await post(stringifyJson(value));
        if (statusCode === 201) v.parse(Pet, parseJson(body));
        else expect(v.parse(ErrorBody, parseJson(body)).status).toBe(400);
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ['no name', '{"categoryId":7}', /^name: is required$/],
    ['neither', '{}', /^name: is required; categoryId: is required$/],
    ['a name of white space', '{"name":" \\u2003","categoryId":7}', /^name: must not be empty/],
    ['a name of 256', `{"name":"${'é'.repeat(256)}","categoryId":7}`, /^name: .*255/],
    ['a control character', '{"name":"a\\u009bb","categoryId":7}', /^name: .*control/],
    ['a lone surrogate', '{"name":"a\\ud800b","categoryId":7}', /^name: /],
    ['a name that is null', '{"name":null,"categoryId":7}', /^name: must be a string/],
    ['1.5', '{"name":"Rex","categoryId":1.5}', /^categoryId: .*int64/],
    ['"1"', '{"name":"Rex","categoryId":"1"}', /^categoryId: .*int64/],
    ['1e400', '{"name":"Rex","categoryId":1e400}', /^categoryId: .*int64/],
    ['too large', '{"name":"Rex","categoryId":9223372036854775808}', /^categoryId: .*largest/],
    ['an unknown status', '{"name":"Rex","categoryId":7,"status":"lost"}', /^status: .*pending/],
    ['an id', '{"id":1,"name":"Rex","categoryId":7}', /^id: is not a field/],
    ['an unknown member', '{"name":"Rex","categoryId":7,"age":3}', /^age: is not a field/],
    ['__proto__', '{"name":"Rex","categoryId":7,"__proto__":{}}', /^__proto__: is not a field/],
    ['a member twice', '{"name":"Rex","name":"Rex","categoryId":7}', /^name: is given twice/],
    ['an array', '[]', /^the body must be a JSON object$/],
    ['no JSON', '{"name":', /not JSON/],
    ['two documents', `${rex}{}`, /not JSON/],
    ['nothing', '', /body is missing/],
    ['60,000 brackets', '['.repeat(60_000), /not JSON/],
    ['a byte order mark', `\ufeff${rex}`, /byte order mark/],
  ])('400 for %s, naming the field', async (_, body, message) => {
    expectFailure(await post(body), 'invalid_request', message);
  });

  it('400 for a body that is not UTF-8', async () => {
    const body = Buffer.from('{"name":"J\xfcrgen","categoryId":3}', 'latin1');
    expectFailure(await post(body), 'invalid_request', /UTF-8/);
  });

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json;x=y'])(
    'takes a body of type %s',
    async (type) => {
      expect((await post(rex, { 'content-type': type })).statusCode).toBe(201);
    },
  );

  it.each(['text/plain', 'application/json-patch+json', 'application/jsonx', 'x', ';'])(
    '415 for a body of type %j',
    async (type) => {
      expectFailure(await post(rex, { 'content-type': type }), 'unsupported_media_type');
    },
  );

  it.each(['gzip', 'br', 'gzip, identity', 'x'])('415 for a body of coding %s', async (coding) => {
    const response = await post(rex, { 'content-encoding': coding });
    expectFailure(response, 'unsupported_media_type', /Content-Encoding/);
  });

  it('takes a body of coding identity', async () => {
    expect((await post(rex, { 'content-encoding': 'Identity' })).statusCode).toBe(201);
  });

  it('413 for more than 64 KiB, and takes exactly that', async () => {
    expect((await post(rex.padEnd(65_536))).statusCode).toBe(201);
    expectFailure(await post(rex.padEnd(65_537)), 'payload_too_large');
  });

  it('400 for a query, which this operation has not', async () => {
    const options = { method: 'POST', url: '/v1/pets?x=1', payload: { name: 'Rex' } } as const;
    expectFailure(await call(options), 'invalid_request', /^x: is not a parameter/);
  });
});

describe('Idempotency-Key', () => {
  it.each([
    ['nothing', ''],
    ['white space inside', 'a b'],
    ['256 characters', 'a'.repeat(256)],
    ['what is not ASCII', 'é'],
  ])('400 for %s', async (_, key) => {
    const response = await post(rex, { 'idempotency-key': key });
    expectFailure(response, 'invalid_request', /^Idempotency-Key: must be/);
  });
});

describe('getPet (4.3)', () => {
  it.each([
    '/v1/pets/4711',
    '/v1/pets/0',
    '/v1/pets/01',
    '/v1/pets/-1',
    '/v1/pets/9223372036854775808',
    '/v1/pets/1.0',
    '/v1/pets/abc',
    '/v1/pets/%20',
    '/v1/pets/%ff',
    '/v1/pets/%',
    '/v1/pets/%zz',
  ])('404 for %s, since the contract has no 400 for an id', async (path) => {
    expectFailure(await get(path), 'not_found', /^there is no pet with this id$/);
  });

  it('404 for an id of 9,000 digits', async () => {
    expectFailure(await get(`/v1/pets/1${'0'.repeat(9_000)}`), 'not_found');
  });

  it.each(['/v1/pets/1', '/v1/pets/4711', '/v1/pets/1?x=1'])(
    'announces its removal on %s',
    async (path) => {
      expect((await get(path)).headers).toMatchObject({
        deprecation: expect.stringMatching(/^@\d{10}$/),
        sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
        link: '</v1/pets>; rel="successor-version"',
      });
    },
  );
});

it('responds to HEAD as to GET, without the body', async () => {
  for (const url of ['/v1/pets?limit=2', '/v1/pets/1', '/v1/pets/4711', '/healthz']) {
    const head = await call({ method: 'HEAD', url });
    const { statusCode, headers } = await get(url);
    const { 'x-request-id': _, date, connection, ...same } = headers;
    expect(head).toMatchObject({ statusCode, body: '', headers: same });
  }
});

describe('API keys (5)', () => {
  it.each<[string, string | undefined, string]>([
    ['none', undefined, 'Bearer realm="petstore"'],
    ['another scheme', 'Basic eDp5', 'Bearer realm="petstore"'],
    ['a bare word', 'pst_x', 'Bearer realm="petstore"'],
    ['two keys', 'Bearer a, Bearer b', 'Bearer realm="petstore"'],
    ['a mistyped one', 'Bearer pst_x', 'Bearer realm="petstore", error="invalid_token"'],
  ])('401 with %s, on every path below /v1', async (_, authorization, challenge) => {
    const headers = authorization === undefined ? {} : { authorization };
    for (const url of ['/v1/pets', '/v1/pets/1', '/v1', '/v1/none', '/v1/pets?limit=0', '/v1/%']) {
      const response = await app.inject({ method: 'GET', url, headers });
      expectFailure(response, 'unauthorized');
      expect(response.headers['www-authenticate']).toBe(challenge);
      expect(response.headers['petstore-key']).toBeUndefined();
      expect(response.headers['petstore-idempotency']).toBe('7d');
    }
  });

  it('takes the scheme in any case, and no key from the query', async () => {
    const authorization = `bEARER ${key}`;
    const response = await app.inject({ url: '/v1/pets', headers: { authorization } });
    expect(response.statusCode).toBe(200);
    expectFailure(await app.inject({ url: `/v1/pets?access_token=${key}` }), 'unauthorized');
  });

  it('says what a key may do and until when', async () => {
    const expiresAt = new Date('2099-01-01T00:00:00Z');
    const key = await createKey({ name: 'till', expiresAt });
    const headers = { authorization: `Bearer ${key}` };
    const response = await call({ url: '/v1/none', headers });
    expect(response.headers['petstore-key']).toBe(
      `access=write, expires=@${expiresAt.getTime() / 1000}`,
    );
  });
});
