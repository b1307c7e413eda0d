import { afterAll, describe, expect, it } from 'vitest';
import { call, expectFailure, post } from '../../support/http.ts';
import { startService } from '../../support/service.ts';

const service = await startService();
afterAll(service.close);

describe('createPet (4.2)', () => {
  it('responds 201 with the pet, its id and its Location, relative to the base URL', async () => {
    const response = await post(service, '{"name":"Rex","categoryId":7,"status":"sold"}');
    const id = /\d+/.exec(response.text)?.[0];
    expect(response).toMatchObject({
      status: 201,
      text: `{"id":${id},"name":"Rex","categoryId":7,"status":"sold"}`,
    });
    expect(response.headers.get('location')).toBe(`pets/${id}`);
    expect(response.headers.get('content-type')).toBe('application/json');
    const location = new URL(response.headers.get('location') ?? '', `${service.url}/pets`).href;
    expect((await call(service, location.slice(service.url.length))).text).toBe(response.text);
  });

  it('makes a pet available when no status is given', async () => {
    expect((await post(service, '{"name":"Rex","categoryId":7}')).body).toMatchObject({
      status: 'available',
    });
  });

  it.each(['9007199254740993', '9223372036854775807', '-9223372036854775808', '0', '-0'])(
    'keeps category %s exact',
    async (digits) => {
      const { status, text } = await post(service, `{"name":"Rex","categoryId":${digits}}`);
      expect(status).toBe(201);
      expect(text).toContain(`"categoryId":${BigInt(digits)},`);
    },
  );

  it.each([
    ['one character', 'R'],
    ['255 characters', 'é'.repeat(255)],
    ['255 characters beyond the basic plane', '🐕'.repeat(255)],
    ['white space around a letter', '  R  '],
    ['what a terminal or a web page must escape', '<b>\u202eRex\u200b</b>'],
  ])('takes a name of %s', async (_, name) => {
    const { status, body } = await post(service, JSON.stringify({ name, categoryId: 1 }));
    expect(status).toBe(201);
    expect(body).toMatchObject({ name });
  });

  it.each([
    ['no name', '{"categoryId":7}', /^name: is required$/],
    ['no category', '{"name":"Rex"}', /^categoryId: is required$/],
    ['neither', '{}', /^name: is required; categoryId: is required$/],
    ['an empty name', '{"name":"","categoryId":7}', /^name: must not be empty/],
    ['a name of white space', '{"name":" \\u2003","categoryId":7}', /^name: must not be empty/],
    ['a name of 256', `{"name":"${'é'.repeat(256)}","categoryId":7}`, /^name: .*255/],
    ['a control character', '{"name":"a\\u0000b","categoryId":7}', /^name: .*control/],
    ['a C1 character', '{"name":"a\\u009bb","categoryId":7}', /^name: .*control/],
    ['a line break', '{"name":"a\\nb","categoryId":7}', /^name: .*control/],
    ['a lone surrogate', '{"name":"a\\ud800b","categoryId":7}', /^name: /],
    ['a name that is null', '{"name":null,"categoryId":7}', /^name: must be a string/],
    ['a name that is a number', '{"name":7,"categoryId":7}', /^name: must be a string/],
    ['1.5', '{"name":"Rex","categoryId":1.5}', /^categoryId: .*int64/],
    ['"1"', '{"name":"Rex","categoryId":"1"}', /^categoryId: .*int64/],
    ['1e400', '{"name":"Rex","categoryId":1e400}', /^categoryId: .*int64/],
    ['null', '{"name":"Rex","categoryId":null}', /^categoryId: .*int64/],
    ['true', '{"name":"Rex","categoryId":true}', /^categoryId: .*int64/],
    ['one more than an int64', '{"name":"Rex","categoryId":9223372036854775808}', /^categoryId: /],
    ['one less than an int64', '{"name":"Rex","categoryId":-9223372036854775809}', /^categoryId: /],
    ['an unknown status', '{"name":"Rex","categoryId":7,"status":"lost"}', /^status: .*pending/],
    ['a null status', '{"name":"Rex","categoryId":7,"status":null}', /^status: /],
    ['an id', '{"id":1,"name":"Rex","categoryId":7}', /^id: is not a field/],
    ['an unknown member', '{"name":"Rex","categoryId":7,"age":3}', /^age: is not a field/],
    ['__proto__', '{"name":"Rex","categoryId":7,"__proto__":{}}', /^__proto__: is not a field/],
    [
      '__proto__ beside a long number',
      '{"name":"Rex","categoryId":9007199254740993,"__proto__":{}}',
      /^__proto__: /,
    ],
    ['a member given twice', '{"name":"Rex","name":"Rex","categoryId":7}', /^name: is given twice/],
    ['an array', '[]', /^the body must be a JSON object$/],
    ['a string', '"Rex"', /JSON object/],
    ['null as the body', 'null', /JSON object/],
    ['no JSON', '{"name":', /not JSON/],
    ['two documents', '{"name":"Rex","categoryId":7}{}', /not JSON/],
    ['a comment', '{"name":"Rex","categoryId":7/**/}', /not JSON/],
    ['an empty body', '', /body is missing/],
    ['60,000 open brackets', '['.repeat(60_000), /not JSON|too deeply nested/],
    [
      '60,000 nested arrays',
      `{"name":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
      /name|too deeply nested/,
    ],
  ])('400 for %s, naming the field', async (_, body, message) => {
    const response = await post(service, body);
    expectFailure(response, 400, 'invalid_request');
    expect(response.body).toMatchObject({ message: expect.stringMatching(message) });
  });

  it('400 for a body that is not UTF-8', async () => {
    const response = await post(service, Buffer.from('{"name":"\xe9","categoryId":7}', 'latin1'));
    expectFailure(response, 400, 'invalid_request');
  });

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json;x=y'])(
    'takes a body of type %s',
    async (type) => {
      const response = await post(service, '{"name":"R","categoryId":1}', { 'content-type': type });
      expect(response.status).toBe(201);
    },
  );

  it.each([
    'text/plain',
    'application/json-patch+json',
    'application/x-www-form-urlencoded',
    'x',
    '',
  ])('415 for a body of type %j', async (type) => {
    const response = await post(service, '{"name":"R","categoryId":1}', { 'content-type': type });
    expectFailure(response, 415, 'unsupported_media_type');
  });

  it('415 for a body in a coding', async () => {
    const response = await post(service, '{"name":"R","categoryId":1}', {
      'content-encoding': 'gzip',
    });
    expectFailure(response, 415, 'unsupported_media_type');
  });

  it('413 for more than 64 KiB, and takes exactly that', async () => {
    const pet = '{"name":"R","categoryId":1}';
    expect((await post(service, pet.padEnd(64 * 1024))).status).toBe(201);
    expectFailure(await post(service, pet.padEnd(64 * 1024 + 1)), 413, 'payload_too_large');
  });

  it('adds nothing when it refuses', async () => {
    const own = await startService();
    await post(own, '{"name":"Rex"}');
    await post(own, '{"name":"R","categoryId":1}', { 'content-type': 'text/plain' });
    expect((await call(own, '/pets')).text).toBe('[]');
    await own.close();
  });
});
