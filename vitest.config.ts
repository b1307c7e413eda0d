import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    env: { TZ: 'UTC' },
    restoreMocks: true,
    sequence: { shuffle: true },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    globalSetup: ['./test/support/postgres-setup.ts'],
    reporters: ['default', './test/support/count-reporter.ts'],
  },
});
