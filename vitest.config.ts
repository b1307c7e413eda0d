import { configDefaults, defineConfig } from 'vitest/config';

/** That `npm run build:binary` builds; Windows finds it with its ending. */
const program = 'binary/out/petstore';

const isWine = process.env.PETSTORE_TEST_WINE !== undefined;

export default defineConfig(({ mode }) => ({
  test: {
    env: { TZ: 'UTC', ...(mode === 'standalone' && { PETSTORE_TEST_BINARY: program }) },
    include: ['test/**/*.test.ts'],
    // Programs of Windows: `npm run test:windows`.
    exclude: [...configDefaults.exclude, ...(isWine ? [] : ['test/windows/**'])],
    globalSetup: ['test/support/global-setup.ts'],
    restoreMocks: true,
    // More than there are cores: most tests wait for programs, disks and time limits.
    maxWorkers: 4,
    // No test keeps state in a module.
    isolate: false,
    sequence: { shuffle: true },
    // Programs that are killed, filled and stopped take their time on a busy computer.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
}));
