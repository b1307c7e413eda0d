import type { ErrorCode } from '../../src/contract/service-error.ts';
import type { UserErrorCode } from '../../src/errors.ts';

interface CodeFacts {
  /** Where an add may end otherwise than the rest, both. */
  exit: string;
  /** Whether the same line may succeed later, with nothing changed meanwhile. */
  retry: 'yes' | 'no';
  meaning: string;
}

const userErrors = {
  cli_usage: { exit: '2', retry: 'no', meaning: 'the command line cannot be understood' },
  cli_invalid_input: { exit: '2', retry: 'no', meaning: 'a pet, a file or a key is not valid' },
  cli_invalid_config: { exit: '2', retry: 'no', meaning: 'a setting or the config file is wrong' },
  cli_unknown_environment: { exit: '2', retry: 'no', meaning: 'no environment has this name' },
  cli_no_url: { exit: '2', retry: 'no', meaning: 'the environment has no URL yet' },
  cli_file: { exit: '2', retry: 'no', meaning: 'a file cannot be read or written' },
  cli_database: { exit: '2', retry: 'no', meaning: "the service's database cannot be used" },
  cli_listen: { exit: '2', retry: 'no', meaning: 'the service cannot listen on this port' },
  cli_input_required: {
    exit: '3',
    retry: 'no',
    meaning: 'something is missing and nobody can be asked',
  },
  cli_confirmation_required: {
    exit: '3',
    retry: 'no',
    meaning: 'a write or a secret must be confirmed',
  },
  cli_declined: { exit: '3', retry: 'no', meaning: 'the person at the prompt said no' },
  cli_import_exists: {
    exit: '3',
    retry: 'no',
    meaning: 'this file was imported or is being imported',
  },
  cli_no_key: { exit: '4', retry: 'no', meaning: 'there is no API key for the environment' },
  cli_key_rejected: {
    exit: '4',
    retry: 'no',
    meaning: 'the service did not accept a key that was to be stored or checked',
  },
  cli_key_read_only: {
    exit: '4',
    retry: 'no',
    meaning: 'a write with a key that can only read; nothing was sent',
  },
  cli_keychain_locked: { exit: '4', retry: 'no', meaning: 'the OS keychain is locked' },
  cli_keychain_unavailable: { exit: '4', retry: 'no', meaning: 'there is no OS keychain here' },
  cli_keychain_library_missing: {
    exit: '4',
    retry: 'no',
    meaning: 'the library of the OS keychain is missing',
  },
  cli_keychain_timeout: { exit: '4', retry: 'no', meaning: 'the OS keychain did not respond' },
  cli_key_file_unsafe: {
    exit: '4',
    retry: 'no',
    meaning: 'the key file can be read by others or is damaged',
  },
  cli_not_found: {
    exit: '5',
    retry: 'no',
    meaning: 'there is no such pet, key, import or line of the history',
  },
  cli_rejected: { exit: '6', retry: 'no', meaning: 'the service rejected every row of an import' },
  cli_outcome_unknown: {
    exit: '9',
    retry: 'no',
    meaning: 'rows of an import, or adds that were to be settled, may or may not have been added',
  },
  cli_incomplete: { exit: '10', retry: 'no', meaning: 'a list or an import is not complete' },
  cli_pet_differs: {
    exit: '1',
    retry: 'no',
    meaning: 'the pet was added, but not as it was sent',
  },
  cli_output: {
    exit: '1',
    retry: 'no',
    meaning: 'output could not be written; `outcome` says whether a write was applied',
  },
} satisfies Record<UserErrorCode, CodeFacts>;

const requestErrors = {
  cli_unexpected: { exit: '1', retry: 'no', meaning: 'a bug in petstore' },
  cli_unexpected_response: {
    exit: '7, add 9, a page with 401: 4',
    retry: 'no',
    meaning: 'the response does not follow the contract; `retryable` with 502, 503 and 504',
  },
  cli_unreachable: { exit: '8', retry: 'yes', meaning: 'no connection; nothing was sent' },
  cli_timeout: { exit: '8, add 9', retry: 'yes', meaning: 'no complete response in time' },
  cli_connection_lost: {
    exit: '7 or 8, add 9',
    retry: 'yes',
    meaning:
      'the connection was lost before the response (8) or in the middle of it (7); an add only where idempotency keys are honored',
  },
  cli_hangup: { exit: '129', retry: 'yes', meaning: 'the terminal was closed' },
  cli_interrupted: { exit: '130', retry: 'yes', meaning: 'stopped by Ctrl-C' },
  cli_terminated: { exit: '143', retry: 'yes', meaning: 'stopped by SIGTERM' },
} satisfies Record<string, CodeFacts>;

const serviceErrors = {
  invalid_request: { exit: '6', retry: 'no', meaning: 'a parameter or the body is not valid' },
  unauthorized: { exit: '4', retry: 'no', meaning: 'the key is missing or not accepted' },
  forbidden: {
    exit: '4, where the service does not say that the key can only read: 6',
    retry: 'no',
    meaning: 'the key may not do this; nothing was added',
  },
  not_found: { exit: '5', retry: 'no', meaning: 'no such pet, or no pet store at this URL' },
  method_not_allowed: { exit: '6', retry: 'no', meaning: 'no such operation' },
  request_timeout: { exit: '7', retry: 'yes', meaning: 'the request did not arrive in time' },
  idempotency_conflict: {
    exit: '9',
    retry: 'yes',
    meaning: 'the first request with this idempotency key is still running',
  },
  operation_removed: {
    exit: '6',
    retry: 'no',
    meaning: 'getPet was removed; `get --via list` works',
  },
  payload_too_large: { exit: '6', retry: 'no', meaning: 'the body is too large' },
  unsupported_media_type: { exit: '6', retry: 'no', meaning: 'the body is not JSON' },
  idempotency_mismatch: {
    exit: '6',
    retry: 'no',
    meaning: 'the idempotency key was used for another pet',
  },
  headers_too_large: { exit: '6', retry: 'no', meaning: 'the header fields are too large' },
  internal_error: { exit: '7, add 9', retry: 'yes', meaning: 'the service failed' },
  unavailable: {
    exit: '7',
    retry: 'yes',
    meaning: 'the service is too busy or cannot reach its database',
  },
} satisfies Record<ErrorCode, CodeFacts>;

/** Every error code that scripts may meet: the program's own, then the service's. */
export const errorCodes = { ...userErrors, ...requestErrors, ...serviceErrors };

/** The table of docs/json.md. */
export function renderErrorCodes(): string {
  const rows = Object.entries(errorCodes).map(
    ([code, { exit, retry, meaning }]) => `| \`${code}\` | ${exit} | ${retry} | ${meaning} |\n`,
  );
  return `| code | exit | retry helps | meaning |\n|---|---|---|---|\n${rows.join('')}`;
}
