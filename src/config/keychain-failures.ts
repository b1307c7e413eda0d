import { UserError } from '../errors.ts';

/** Both work on every machine and need no keychain. */
const waysOut = [
  'export PETSTORE_API_KEY=…   (for this shell only)',
  'petstore auth login --storage file   (a file that only you can read)',
];

/** A keychain that answered with an error of its own: it is locked, or there is none here. */
export function explainSilence(reason: string): UserError {
  // "Cannot create an item in a locked collection" (libsecret), "User interaction is not allowed." (macOS).
  if (/\block(ed)?\b|IsLocked|interaction is not allowed/i.test(reason)) {
    return new UserError('cli_keychain_locked', 'The OS keychain is locked', {
      details: [
        `the keychain says: ${reason}`,
        'unlock it (log in to the desktop, or open its password program) and run this again',
      ],
      next: waysOut,
    });
  }
  return new UserError('cli_keychain_unavailable', 'No keychain service answers on this machine', {
    details: [`the system says: ${reason}`],
    next: waysOut,
  });
}

export function explainMissingLibrary(reason: string, platform = process.platform): UserError {
  const isLinux = platform === 'linux';
  return new UserError(
    'cli_keychain_library_missing',
    isLinux
      ? 'The keychain library libsecret is missing on this machine'
      : 'The keychain library does not load on this machine',
    {
      details: [`the system says: ${reason}`],
      next: isLinux
        ? [
            'sudo apt install libsecret-1-0   (Debian, Ubuntu)',
            'sudo dnf install libsecret   (Fedora, RHEL)',
            ...waysOut,
          ]
        : waysOut,
    },
  );
}

/** @param timeLimit in milliseconds */
export function explainTimeout(timeLimit: number): UserError {
  const seconds = timeLimit / 1000;
  return new UserError(
    'cli_keychain_timeout',
    `The OS keychain did not answer within ${seconds} s`,
    {
      details: ['it may wait for an unlock dialog that nobody sees, or hang'],
      next: waysOut,
    },
  );
}

/** The keychain gave nothing for a key that was stored: libsecret says the same for "locked" and "gone". */
export function explainWithheld(
  environment: string,
  storedAt: string,
  lastFour: string,
): UserError {
  return new UserError(
    'cli_keychain_locked',
    `The OS keychain did not hand over the API key of ${environment}: it is locked, or the key was removed there`,
    {
      details: [
        `stored ${storedAt.slice(0, 10)}, ending ${lastFour}`,
        'if it is locked, unlock it (log in to the desktop, or open its password program) and run this again',
      ],
      next: [`petstore auth login --env ${environment}   (if it was removed)`, ...waysOut],
    },
  );
}
