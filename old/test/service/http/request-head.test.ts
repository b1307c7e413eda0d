import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { checkRequestHead } from '../../../src/service/http/request-head.ts';

const check = (httpVersion: string, headers: IncomingMessage['headers']) =>
  checkRequestHead({ httpVersion, headers });

it.each([
  '',
  'a',
  'a:8080',
  'a:',
  ':8080',
  'A-1.example.com',
  "b_~!$&'()*+,;=c",
  'caf%C3%a9.example',
  '127.0.0.1:1',
  '[::1]',
  '[2001:db8::7]:443',
  '[fe80::1%25eth0]',
])('%j is a Host', (host) => {
  expect(check('1.1', { host })).toBeUndefined();
});

it.each([
  'a b',
  ' a',
  'a/b',
  'a:b',
  'a:1:2',
  'a:8080 ',
  'me@a',
  'a, b',
  'a%zz',
  'a%1',
  'a%',
  '[]',
  '[::1',
  '[::1]a',
  '[:/1]',
  'a[::1]',
  '"a"',
])('%j is not a Host', (host) => {
  const body = {
    code: 'invalid_request',
    status: 400,
    message: expect.stringMatching(/^Host: must/),
  };
  const refused = check('1.1', { host });
  expect(refused).toMatchObject({ status: 400, closes: true });
  expect(JSON.parse(String(refused?.body))).toEqual(body);
});

const host = 'a';

it.each([
  ['1.1', { host }, undefined],
  ['1.0', { host }, undefined],
  ['1.0', {}, undefined],
  ['1.1', {}, 'Host: must'],
  ['0.9', { host }, 'the version in the request line must be HTTP/1.1 or HTTP/1.0'],
  ['2.0', { host }, 'the version in the request line must be HTTP/1.1 or HTTP/1.0'],
  ['1.1', { host, 'transfer-encoding': 'chunked' }, undefined],
  ['1.1', { host, 'transfer-encoding': 'Chunked' }, undefined],
  ['1.1', { host, 'transfer-encoding': 'gzip, chunked' }, 'Transfer-Encoding: must be chunked'],
  ['1.1', { host, 'transfer-encoding': '' }, 'Transfer-Encoding: must be chunked'],
  ['1.0', { host, 'transfer-encoding': 'chunked' }, 'Transfer-Encoding: must be chunked'],
])('the head of HTTP/%s with %j: %s', (version, headers, message) => {
  const refused = check(version, headers);
  if (message === undefined) return expect(refused).toBeUndefined();
  expect(refused).toMatchObject({ status: 400, closes: true });
  expect(JSON.parse(String(refused?.body)).message).toContain(message);
});
