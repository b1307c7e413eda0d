import { expect, it } from 'vitest';
import { decodeBody } from '../../../src/client/transport/decode-body.ts';

const bytes = (...values: (string | number[])[]) => values.map((value) => Buffer.from(value));

it.each([
  [[], { body: '', isUtf8: true }],
  [bytes('[1', ']'), { body: '[1]', isUtf8: true }],
  [bytes([0xc3], [0xa9]), { body: 'é', isUtf8: true }],
  [bytes('\ufeff[]'), { body: '[]', isUtf8: true }],
  [bytes('[\ufeff]'), { body: '[\ufeff]', isUtf8: true }],
  [bytes('a', [0xff]), { body: 'a\ufffd', isUtf8: false }],
])(
  '%# a body is read as UTF-8 across its chunks, without a byte order mark',
  (chunks, expected) => {
    expect(decodeBody(chunks)).toEqual(expected);
  },
);
