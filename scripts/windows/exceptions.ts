/** Why a test of the program is not run on Windows. */
interface Exception {
  reason: string;
  /** By file below `test`: what the names of the tests contain; all of the file if nothing is given. */
  tests: Readonly<Record<string, readonly string[]>>;
}

const exceptions: readonly Exception[] = [];

/** A regular expression of the names of a file's tests that are run. */
export function patternOfRunnable(file: string): string {
  const names = exceptions.flatMap(({ tests }) => {
    const found = tests[file];
    return found === undefined || found.length > 0 ? (found ?? []) : [''];
  });
  return names.length === 0 ? '' : `^(?!.*(?:${names.map(escapePattern).join('|')}))`;
}

/** Why a test of this name was skipped. */
export function findReason(file: string, name: string): string {
  const exception = exceptions.find(({ tests }) => {
    const found = tests[file];
    return found?.length === 0 || found?.some((part) => name.includes(part));
  });
  return exception?.reason ?? 'this machine lacks what the test needs';
}

/** Exceptions that no test was skipped for: they are outdated. */
export function listUnused(skipped: readonly { file: string; name: string }[]): string[] {
  return exceptions.flatMap(({ tests }) =>
    Object.entries(tests).flatMap(([file, parts]) =>
      (parts.length === 0 ? [''] : parts)
        .filter((part) => !skipped.some((one) => one.file === file && one.name.includes(part)))
        .map((part) => `${file}: ${part}`),
    ),
  );
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
