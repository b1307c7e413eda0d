import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { createQuote } from '../../src/client/quote.ts';
import { readFailure, readResponse } from '../../src/client/read-response.ts';
import { RequestError } from '../../src/client/request-error.ts';
import type { HttpResponse } from '../../src/client/transport/transport.ts';
import { Pets } from '../../src/contract/pet.ts';

const quote = createQuote('secret-key');
const request = { method: 'GET', url: 'https://pets.test/v1/pets', id: 'r1' } as const;
const json = { 'content-type': 'application/json' };
const respond = (body: string, rest: Partial<HttpResponse> = {}): HttpResponse => ({
  ...{ status: 200, headers: json, body, isUtf8: true, ...rest },
});
const read = (response: HttpResponse, schema: v.GenericSchema = Pets) =>
  readResponse(schema, {
    ...{ response, request, quote },
    refuse: (reason, cause) =>
      new RequestError(
        request,
        { kind: 'unexpected_response', status: response.status, reason },
        'not_applied',
        { cause },
      ),
  });
const reasonOf = (response: HttpResponse, schema?: v.GenericSchema) => {
  try {
    return `read: ${JSON.stringify(read(response, schema))}`;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return error.message.replace('GET https://pets.test/v1/pets: 200: ', '');
  }
};

describe('a response is read by the contract', () => {
  it.each([
    'application/json',
    'Application/JSON; charset=utf-8',
    'application/problem+json',
    'application/vnd.pets-v1.2+json',
  ])('%s is JSON', (type) => {
    expect(read(respond('[]', { headers: { 'content-type': type } }))).toEqual([]);
  });

  const page = "not JSON (perhaps a proxy's page)";

  it.each([
    ['text/html; charset=utf-8', `text/html, ${page}`],
    ['text/application/json', `text/application/json, ${page}`],
    ['application/jsonx', `application/jsonx, ${page}`],
    ['application/+json', `application/+json, ${page}`],
    ['', `a body without a content type, ${page}`],
    [`x/${'y'.repeat(60)}`, `x/${'y'.repeat(58)}…, ${page}`],
  ])('%s is not', (type, reason) => {
    expect(reasonOf(respond('[]', { headers: { 'content-type': type } }))).toBe(reason);
  });

  it.each([
    [respond('[]', { headers: {} }), `a body without a content type, ${page}`],
    [respond('', { headers: {} }), 'an empty body'],
    [respond('[]', { isUtf8: false }), 'text that is not UTF-8'],
    [respond('[{'), 'JSON that is truncated or not valid'],
    [respond('{}'), 'the body must be a JSON array, is an object'],
    [respond('1e400'), 'the body must be a JSON array, is 1e400'],
    [respond('null'), 'the body must be a JSON array, is null'],
    [respond('[[]]'), '[0].id is required'],
    [respond('[{"id":[]}]'), '[0].id must be an int64 integer, is an array'],
    [respond('[1]'), '[0] must be a JSON object, is 1'],
    [respond('[{}]'), '[0].id is required'],
    [
      respond('[{"id":1,"name":"a","categoryId":1,"status":"lost"}]'),
      '[0].status must be one of available, pending, sold, is "lost"',
    ],
    [respond('[{"id":true}]'), '[0].id must be an int64 integer, is true'],
    [respond('[{"id":{"toString":1}}]'), '[0].id must be an int64 integer, is an object'],
    [
      respond(`[{"id":"${'x'.repeat(61)}"}]`),
      `[0].id must be an int64 integer, is "${'x'.repeat(60)}…"`,
    ],
    [respond('[{"id":"secret-key"}]'), '[0].id must be an int64 integer, is "[redacted]"'],
  ])('%# what is wrong is said with its place: %s', (response, reason) => {
    expect(reasonOf(response)).toBe(reason);
  });

  it('the place in an object begins without a dot, and only the first one is said', () => {
    const schema = v.object({ a: v.object({ b: v.string('no') }), c: v.string('no') });
    expect(reasonOf(respond('{"a":{"b":1},"c":1}'), schema)).toBe('a.b no, is 1');
  });

  it('JSON that cannot be read has its mistake as the cause', () => {
    expect(() => read(respond('[{'))).toThrow(
      expect.objectContaining({ cause: expect.any(SyntaxError) }),
    );
  });
});

describe('a response that is not 2xx', () => {
  const error = { code: 'not_found', message: 'no secret-key here', status: 404 };

  it("has the service's own error, without the key", () => {
    expect(readFailure(respond(JSON.stringify(error), { status: 404 }), quote)).toEqual({
      ...{ kind: 'response', status: 404 },
      error: { ...error, message: 'no [redacted] here' },
    });
    const inCode = JSON.stringify({ ...error, code: 'secret-key' });
    expect(readFailure(respond(inCode, { status: 404 }), quote)).toMatchObject({
      error: { code: '[redacted]' },
    });
  });

  const redirect = 'which is never followed with an API key';

  it.each([
    [299, '{}', json, 'JSON that does not follow the contract'],
    [300, '{}', json, `a redirect, ${redirect}`],
    [399, '{}', { location: '/x?secret-key' }, `a redirect to /x?[redacted], ${redirect}`],
    [
      400,
      '{}',
      { location: '/x' },
      "a body without a content type, not JSON (perhaps a proxy's page)",
    ],
    [404, '{', json, 'JSON that does not follow the contract'],
    [404, '{"code":"a"}', json, 'JSON that does not follow the contract'],
    [502, '', {}, 'an empty body'],
  ])('%i %s is unexpected', (status, body, headers, reason) => {
    expect(readFailure(respond(body, { status, headers }), quote)).toEqual({
      ...{ kind: 'unexpected_response', status, reason },
    });
  });
});
