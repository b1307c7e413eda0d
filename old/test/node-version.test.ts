import { expect, it } from 'vitest';

it('runs on a supported Node, and on the version that was asked for', () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  expect(major > 20 || (major === 20 && minor >= 19)).toBe(true);
  expect(`${process.versions.node}.`).toMatch(
    new RegExp(`^${process.env.PETSTORE_TEST_NODE?.replace('.', '\\.') ?? ''}`),
  );
});
