import { UserError } from '../../errors.ts';
import { environmentVariables, variableNameFor } from '../variables.ts';

const unlock = 'unlock it (log in to the desktop, or open its password program) and run this again';

/** The keychain reported an error of its own: it is locked, or there is none on this machine. */
export function explainRefusal(reason: string): UserError {
  // "Cannot create an item in a locked collection" (libsecret), "User interaction is not allowed." (macOS).
  if (/\block(ed)?\b|IsLocked|interaction is not allowed/i.test(reason)) {
    return new UserError('cli_keychain_locked', 'The OS keychain is locked', {
      details: [`the keychain says: ${reason}`, unlock],
    });
  }
  return new UserError('cli_keychain_unavailable', 'No keychain service responds on this machine', {
    details: [`the system says: ${reason}`],
  });
}

export function explainMissingLibrary(reason: string, platform = process.platform): UserError {
  const name = platform === 'linux' ? 'libsecret is missing' : 'does not load';
  return new UserError(
    'cli_keychain_library_missing',
    `The keychain library ${name} on this machine`,
    {
      details: [`the system says: ${reason}`],
      next:
        platform === 'linux'
          ? [
              // Debian and its kin, Fedora and its kin.
              'sudo apt install libsecret-1-0',
              'sudo dnf install libsecret',
            ]
          : [],
    },
  );
}

/** @param timeLimit in milliseconds */
export function explainTimeout(timeLimit: number): UserError {
  const seconds = timeLimit / 1000;
  return new UserError(
    'cli_keychain_timeout',
    `The OS keychain did not respond within ${seconds} s`,
    {
      details: ['it may hang, or wait for an unlock dialog that nobody sees'],
    },
  );
}

/** The keychain returned nothing for a key that was stored: libsecret says the same for "locked" and "gone". */
export function explainNotReturned(
  environment: string,
  { storedAt, lastFour }: { storedAt: string; lastFour: string },
): UserError {
  return new UserError(
    'cli_keychain_locked',
    `The OS keychain did not hand over the API key of ${environment}: it is locked, or the key was removed there`,
    {
      details: [
        `stored ${storedAt.slice(0, 10)}, ending ${lastFour}`,
        `if it is locked, ${unlock}`,
        'if the key was removed, log in again',
      ],
      next: [`petstore auth login --env ${environment}`],
    },
  );
}

/** Adds to a failure of the keychain the two alternatives that need none. */
export async function withAlternatives<T>(environment: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof UserError) || !error.code.startsWith('cli_keychain_')) throw error;
    const next = [
      ...error.next,
      `export ${variableNameFor(environment, environmentVariables.environmentKey)}=…`,
      `petstore auth login --env ${environment} --storage file`,
    ];
    const details = [
      ...error.details,
      'without it: a variable for this shell only, or a file that only you can read',
    ];
    throw new UserError(error.code, error.message, { ...error, details, next, cause: error });
  }
}
