import type { RequestListener } from 'node:http';
import type { errorCodes } from '../../scripts/messages/error-codes.ts';
import {
  explainMissingLibrary,
  explainRefusal,
  explainTimeout,
} from '../../src/config/keys/keychain.ts';
import { type ErrorCode, errorStatus } from '../../src/contract/service-error.ts';
import { createFakeKeychain } from './fake-keychain.ts';
import { respondJson } from './http-server.ts';
import { mistypedLines } from './mistyped-lines.ts';
import type { Scenario } from './run-scenario.ts';

const usage = (...lines: (string | readonly string[])[]) =>
  lines.map((line): Scenario => ({ line, isUnconfigured: true }));

const add = 'add Rex --category 7 --idempotency-key k1 --retries 0';
const url = 'PETSTORE_STAGING_URL';
const withoutKey = { env: { PETSTORE_STAGING_API_KEY: '' } };
const keychain = (failure: Error) => ({ ...withoutKey, keychain: createFakeKeychain({ failure }) });
const delivery = { 'delivery.csv': 'name,categoryId\nBello,1\nNemo,2\n' };

/** Responds to what asks as an empty store does, and to an add by `respondToAdd`. */
function onAdd(respondToAdd: RequestListener): RequestListener {
  return (request, response) =>
    request.method === 'POST'
      ? respondToAdd(request, response)
      : respondJson(200, '[]')(request, response);
}

/** Says of every key that it can only read. */
function withReadKey(respond: RequestListener): RequestListener {
  return (request, response) => {
    response.setHeader('Petstore-Key', 'access=read');
    respond(request, response);
  };
}

function respondError(code: ErrorCode): RequestListener {
  const status = errorStatus[code];
  const message = 'what the service says';
  return respondJson(status, JSON.stringify({ code, message, status }));
}

function stopBy(signal: string): Scenario[] {
  const stop = () => {
    const controller = new AbortController();
    controller.abort({ signal });
    return controller.signal;
  };
  return [{ line: 'list', run: { signal: stop() } }];
}

/** By which lines each error is met: the errors of the service, then those of the program. */
export const errorScenarios = {
  invalid_request: [{ line: add, respond: onAdd(respondError('invalid_request')) }],
  unauthorized: [{ line: 'list', respond: respondError('unauthorized') }],
  forbidden: [
    { line: add, respond: withReadKey(onAdd(respondError('forbidden'))) },
    { line: add, respond: onAdd(respondError('forbidden')) },
  ],
  not_found: [{ line: 'get 99' }, { line: 'list', respond: respondError('not_found') }],
  method_not_allowed: [{ line: 'list', respond: respondError('method_not_allowed') }],
  request_timeout: [{ line: 'list --retries 0', respond: respondError('request_timeout') }],
  idempotency_conflict: [{ line: add, respond: onAdd(respondError('idempotency_conflict')) }],
  operation_removed: [{ line: 'get 1 --via get', respond: respondError('operation_removed') }],
  payload_too_large: [{ line: add, respond: onAdd(respondError('payload_too_large')) }],
  unsupported_media_type: [{ line: add, respond: onAdd(respondError('unsupported_media_type')) }],
  idempotency_mismatch: [{ line: add, respond: onAdd(respondError('idempotency_mismatch')) }],
  headers_too_large: [{ line: 'list', respond: respondError('headers_too_large') }],
  internal_error: [
    { line: 'list --retries 0', respond: respondError('internal_error') },
    { line: add, respond: onAdd(respondError('internal_error')) },
  ],
  unavailable: [{ line: 'list --retries 0', respond: respondError('unavailable') }],
  cli_unexpected: [
    {
      line: 'add',
      run: { tty: true },
      answers: [],
    },
  ],
  cli_unexpected_response: [
    { line: 'list', respond: respondJson(200, '{"pets":[]}') },
    { line: 'list', respond: (_, response) => response.end('<h1>Login</h1>') },
  ],
  cli_unreachable: [
    { line: 'list --retries 0', run: { env: { [url]: 'https://no-such-host.invalid/v1' } } },
  ],
  cli_timeout: [{ line: 'list --retries 0 --timeout 50ms', respond: () => {} }],
  cli_connection_lost: [
    { line: 'list --retries 0', respond: (request) => request.socket.destroy() },
    { line: add, respond: onAdd((request) => request.socket.destroy()) },
  ],
  cli_hangup: stopBy('SIGHUP'),
  cli_interrupted: stopBy('SIGINT'),
  cli_terminated: stopBy('SIGTERM'),
  cli_usage: usage(...mistypedLines),
  cli_invalid_input: [
    { line: ['add', ' ', '--category', '7'] },
    { line: 'add --from DIR/pet.json', files: { 'pet.json': '{"name":"Rex","colour":"red"}' } },
    { line: 'add --from DIR/pet.json', files: { 'pet.json': '{"name":"Rex"' } },
    { line: 'import DIR/broken.csv', files: { 'broken.csv': 'name,categoryId\n,cats\n' } },
    { line: 'import DIR/empty.csv', files: { 'empty.csv': 'name,categoryId\n' } },
    {
      line: 'import DIR/sheet.csv',
      files: { 'sheet.csv': 'Name,Categry,Status\nRex,7,sold\n' },
    },
    {
      line: 'import DIR/typed.csv',
      files: { 'typed.csv': 'Name,Category,Status\nRex,dog,Sold\nMia,dog,gone\nTom,1E+15,\n' },
    },
    { line: 'import DIR/book.xlsx', files: { 'book.xlsx': 'PK\u0003\u0004 [Content_Types].xml' } },
    { line: 'import DIR/pets.zip', files: { 'pets.zip': 'PK\u0003\u0004 pets.csv' } },
    { line: 'import DIR/other.csv', files: { 'other.csv': 'animal;number\nRex;7\n' } },
    {
      line: 'auth login --key-file DIR/key',
      files: { key: `pst_${'0'.repeat(49)}` },
      run: withoutKey,
    },
    { line: 'auth login --key-file DIR/key', files: { key: 'my key' }, run: withoutKey },
    { line: 'auth login --key-file DIR/key', files: { key: '' }, run: withoutKey },
  ],
  cli_invalid_config: [
    {
      line: 'list',
      files: { 'config.json': '{\n  "environment": "staging",\n  "colour": true\n}\n' },
      run: { env: { PETSTORE_CONFIG_DIR: 'DIR' } },
    },
    {
      line: 'list',
      run: { env: { [url]: 'https://pets.our-store.test/v1', HTTPS_PROXY: 'http://a b' } },
    },
  ],
  cli_unknown_environment: usage('list -e stagign', 'env use demo', 'env remove demo'),
  cli_no_url: [{ line: 'list', isUnconfigured: true }],
  cli_file: [
    { line: 'import nothere.csv' },
    { line: 'import DIR/delivery', files: delivery },
    { line: 'import DIR' },
    { line: 'add --from nothere.json' },
    { line: 'import DIR/delivery.csv --rejects DIR/no/rejects.csv', files: delivery },
  ],
  cli_database: [
    { line: 'keys list --database sqlite:DIR/no/pets.db' },
    { line: 'keys list --database sqlite:DIR/pets.db', files: { 'pets.db': 'not a database\n' } },
  ],
  cli_listen: [{ line: 'serve --port PORT --database sqlite:DIR/pets.db' }],
  cli_input_required: [
    { line: 'auth login', run: withoutKey },
    { line: 'auth login --key-stdin', run: { ...withoutKey, tty: true } },
    { line: 'import -', run: { tty: true } },
  ],
  cli_confirmation_required: [
    {
      line: 'add Rex --category 7 -e production',
      run: { env: { PETSTORE_PRODUCTION_URL: 'https://pets.our-store.test/v1' } },
    },
    { line: 'add Rex --category 7 --confirm production' },
    { line: 'auth token', run: { tty: true } },
  ],
  cli_declined: [
    { line: 'import DIR/delivery.csv', files: delivery, run: { tty: true }, answers: [false] },
  ],
  cli_import_exists: [
    { line: 'import DIR/delivery.csv', files: delivery, before: ['import DIR/delivery.csv'] },
  ],
  cli_no_key: [
    { line: 'list', run: withoutKey },
    {
      line: 'list',
      run: { env: { PETSTORE_STAGING_API_KEY: '', PETSTORE_API_KEY_FILE: 'nothere.key' } },
    },
  ],
  cli_key_rejected: [
    {
      line: 'auth login --key-stdin',
      respond: respondError('unauthorized'),
      run: { ...withoutKey, stdin: 'some-other-key-1234' },
    },
  ],
  cli_key_read_only: [
    {
      line: 'add Rex --category 7',
      respond: withReadKey(respondJson(200, '[]')),
      before: ['auth login --key-stdin'],
      run: { ...withoutKey, stdin: 'some-other-key-1234', keychain: createFakeKeychain() },
    },
  ],
  cli_keychain_locked: [
    { line: 'list', run: keychain(explainRefusal('Cannot get secret of a locked object')) },
  ],
  cli_keychain_unavailable: [
    { line: 'list', run: keychain(explainRefusal('Cannot autolaunch D-Bus without X11')) },
  ],
  cli_keychain_library_missing: [
    {
      line: 'list',
      run: keychain(explainMissingLibrary('libsecret-1.so.0: cannot open', 'linux')),
    },
  ],
  cli_keychain_timeout: [{ line: 'list', run: keychain(explainTimeout(3000)) }],
  cli_key_file_unsafe: [
    {
      line: 'list',
      files: { key: 'some-key-1234' },
      before: ['auth login --storage file --key-file DIR/key --no-verify'],
      modes: { 'keys.json': 0o644 },
      run: { env: { PETSTORE_STAGING_API_KEY: '', PETSTORE_CONFIG_DIR: 'DIR' } },
    },
  ],
  cli_not_found: [
    { line: 'get 99 --via list' },
    { line: 'import --resume 0123456789abcdef' },
    { line: 'history settle 9' },
    {
      line: 'keys revoke 9 --database sqlite:DIR/pets.db',
      before: ['keys create --name till --new --database sqlite:DIR/pets.db'],
    },
  ],
  cli_incomplete: [{ line: 'list --limit 1 --require-complete' }],
  cli_rejected: [
    {
      line: 'import DIR/delivery.csv --concurrency 1',
      files: delivery,
      respond: onAdd(respondError('invalid_request')),
    },
  ],
  cli_outcome_unknown: [
    {
      line: 'import DIR/delivery.csv --concurrency 1 --retries 0',
      files: delivery,
      respond: onAdd((request) => request.socket.destroy()),
    },
    {
      line: 'history settle',
      before: [add],
      respond: onAdd((request) => request.socket.destroy()),
    },
  ],
  cli_pet_differs: [
    {
      line: add,
      respond: onAdd(respondJson(201, '{"id":3,"name":"R?x","categoryId":7,"status":"available"}')),
    },
  ],
  cli_output: [{ line: add, run: { failWrites: true } }],
} satisfies Record<keyof typeof errorCodes, readonly Scenario[]>;
