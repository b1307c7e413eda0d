import { expect, vi } from 'vitest';

// Real processes that are killed, filled and stopped take their time on a busy computer.
if (/[\\/]e2e[\\/]/.test(expect.getState().testPath ?? '')) vi.setConfig({ testTimeout: 60_000 });
