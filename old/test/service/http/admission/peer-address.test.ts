import { expect, it } from 'vitest';
import {
  isLoopbackAddress,
  toClientNetwork,
} from '../../../../src/service/http/admission/peer-address.ts';

it.each([
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['::1', true],
  ['0:0:0:0:0:0:0:1', true],
  ['::ffff:127.0.0.1', true],
  ['::ffff:127.9.0.1', true],
  ['::ffff:127.1.255.254', true],
  ['10.0.0.1', false],
  ['::ffff:10.0.0.1', false],
  ['::ffff:0.127.0.1', false],
  ['::127.0.0.1', false],
  ['2001:db8::1', false],
  ['fe80::1%eth0', false],
  ['localhost', false],
  ['', false],
])('%j is an address of this machine only: %s', (address, expected) => {
  expect(isLoopbackAddress(address)).toBe(expected);
});

it.each([
  ['10.1.2.3', '10.1.2.3'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['::ffff:10.11.12.13', '10.11.12.13'],
  ['1::ffff:10.11.12.13', '1:0:0:0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['2001:db8:1:2:3::', '2001:db8:1:2'],
  ['2001::3:4:5:6:7:8', '2001:0:3:4'],
  ['::2:3:4:5:6:7:8', '0:2:3:4'],
  ['::1', '0:0:0:0'],
  ['fe80::a:b%eth0', 'fe80:0:0:0'],
])('the network of the client %s is %s', (address, network) => {
  expect(toClientNetwork(address)).toBe(network);
});
