/** Why a test of the program is not run on Windows. */
interface Exception {
  reason: string;
  /** By file below `test`: what the names of the tests contain; all of the file if nothing is given. */
  tests: Readonly<Record<string, readonly string[]>>;
}

const exceptions: readonly Exception[] = [
  {
    reason: 'Windows has no signals: Ctrl-C is tested in a console, by windows.test.ts',
    tests: {
      'e2e/serve': [],
      'e2e/serve-signals': ['SIGTERM under load', 'SIGINT under load', 'a second signal', 'SIGHUP'],
      'e2e/input-waits': ['the first', 'SIGHUP, however often'],
      'e2e/streams': ['the first signal ends the program'],
      'e2e/prompts-terminal': ['SIGINT:', 'SIGTERM:', 'SIGHUP:'],
    },
  },
  {
    reason: 'Windows suspends no program',
    tests: { 'e2e/prompts-terminal': ['Ctrl-Z:', 'SIGTSTP:'] },
  },
  {
    reason: 'it limits the files that a process may open, as Linux does',
    tests: { 'e2e/keychain-failures': ['too many files are open'] },
  },
  {
    reason: 'Windows has no such files: FIFOs, /dev/full, descriptors that a shell closes or links',
    tests: {
      'e2e/input-waits': ['what is not a file', 'the pipe of', 'a FIFO is read'],
      'e2e/streams': ['a full disk behind stdout', 'a closed stdout'],
    },
  },
  {
    reason: 'names of variables have no case on Windows',
    tests: { 'e2e/built-proxy': ['is the same for the connection, doctor and env show'] },
  },
  {
    reason:
      'its folder and its modes are those of Linux; windows.test.ts has the compile cache too',
    tests: { 'e2e/compile-cache': [] },
  },
  {
    reason: "Windows' keychain is always there, and never locked",
    tests: {
      'e2e/keychain': ['tells a locked keychain from an absent key'],
      'e2e/keychain-failures': ['on a machine with', 'is waited for on a terminal', 'libsecret'],
    },
  },
  {
    reason: "it runs this machine's Node with what is tested, not Windows'",
    tests: {
      'e2e/keychain': ['the keychain’s child process'],
      'e2e/network': [
        'a certificate that nobody vouches for',
        'that refuses: 8',
        'is left out for',
        'in https_proxy wins',
        'is asked',
        'that is no URL',
      ],
      'e2e/main-job': [],
    },
  },
  {
    reason: 'it reads the page, not the program',
    tests: { readme: ['the tables of the README'] },
  },
  {
    reason: 'what connects Linux and Wine takes the whole list before the reader is gone',
    tests: { 'e2e/streams': ['stdout json: goes away'] },
  },
  {
    reason: 'it looks at what Linux is asked to write, by strace',
    tests: { 'e2e/durability': [] },
  },
  {
    reason: "Wine's narrow console breaks lines where nothing asks it to",
    tests: {
      'e2e/delivery': ['interrupted, then resumed: 40 columns'],
      'e2e/first-use': ['nothing configured, to five pets: 40 columns'],
    },
  },
  {
    reason: 'it measures processes by what Linux says of them',
    tests: { 'e2e/attack': [], 'e2e/leak': [] },
  },
  {
    reason: 'it stops instances on PostgreSQL by signals',
    tests: { 'e2e/cluster': [], 'e2e/failover': [] },
  },
];

/** The files that have exceptions. */
export const filesWithExceptions = exceptions.flatMap(({ tests }) => Object.keys(tests));

/** A regular expression of the names of a file's tests that are run. */
export function patternOfRunnable(file: string): string {
  const names = exceptions.flatMap(({ tests }) => {
    const found = tests[file];
    return found === undefined || found.length > 0 ? (found ?? []) : [''];
  });
  return names.length === 0 ? '' : `^(?!.*(?:${names.map(escapePattern).join('|')}))`;
}

/** Why a test of this name was skipped; undefined if nobody knows. */
export function findReason(file: string, name: string): string | undefined {
  const exception = exceptions.find(({ tests }) => {
    const found = tests[file];
    return found?.length === 0 || found?.some((part) => name.includes(part));
  });
  return exception?.reason;
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
