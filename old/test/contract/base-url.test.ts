import { describe, expect, it } from 'vitest';
import { findBaseUrlProblem, isLoopback } from '../../src/contract/base-url.ts';

describe('a base URL', () => {
  it.each([
    'https://pets.example/v1',
    'https://pets.example:8443/shop/v1/',
    'http://localhost:8080/v1',
    'http://127.0.0.1/v1',
    'http://127.255.10.200/v1',
    'http://[::1]:8080/v1',
  ])('%s may be one', (url) => {
    expect(findBaseUrlProblem(new URL(url))).toBeUndefined();
  });

  const readable = /^plain http would send the API key readable/;

  it.each([
    ['ftp://pets.example/v1', 'it must begin with https://'],
    ['http://pets.example/v1', readable],
    ['http://localhost.example/v1', readable],
    ['http://my-localhost/v1', readable],
    ['http://127.0.0.1.example/v1', readable],
    ['http://127.x/v1', readable],
    ['http://[::2]/v1', readable],
    ['https://user@pets.example/v1', 'it must not contain a user name or password'],
    ['https://:secret@pets.example/v1', 'it must not contain a user name or password'],
    ['https://pets.example/v1?a', 'it must not contain a query'],
    ['https://pets.example/v1?', 'it must not contain a query'],
    ['https://pets.example/v1#a', 'it must not contain a fragment'],
    ['https://pets.example/v1#', 'it must not contain a fragment'],
    ['https://pets.example/', 'it must end in /v1'],
    ['https://pets.example/v1/pets', 'it must end in /v1'],
    ['https://pets.example/v1//', 'it must end in /v1'],
    ['https://pets.example/v2', 'it must end in /v1'],
  ])('%s may not', (url, problem) => {
    expect(findBaseUrlProblem(new URL(url))).toMatch(problem);
  });
});

it.each([
  ['http://127.1.2.3/', true],
  ['http://128.0.0.1/', false],
  ['http://localhost/', true],
])('%s is this machine: %s', (url, expected) => {
  expect(isLoopback(new URL(url))).toBe(expected);
});
