import type { Reporter, TestModule } from 'vitest/node';

/** Closes a run with one plain line that people and CI can read: `N passed, N failed, N skipped`. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      if (module.errors().length > 0) count.failed += 1;
      for (const test of module.children.allTests()) count[test.result().state] += 1;
    }
    process.once('exit', () => {
      process.stdout.write(
        `${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped\n`,
      );
    });
  }
}
