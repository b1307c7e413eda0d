import { version } from '../version.ts';
import { type ErrorCode, errorStatus } from './error.ts';
import { headerNames, IDEMPOTENCY_DAYS } from './headers.ts';
import { BASE_PATH, GET_PET_SUNSET, orders, pageLimits } from './operations.ts';
import { DEFAULT_STATUS, NAME_MAX_CODE_POINTS, petStatuses } from './pet.ts';

const PetStatus = {
  type: 'string',
  enum: petStatuses,
  description: 'Availability of the pet.',
} as const;

const categoryId = {
  type: 'integer',
  format: 'int64',
  description: 'Identifier of the category the pet belongs to. Any int64.',
} as const;

const NewPet = {
  type: 'object',
  required: ['name', 'categoryId'],
  additionalProperties: false,
  properties: {
    name: {
      type: 'string',
      minLength: 1,
      maxLength: NAME_MAX_CODE_POINTS,
      pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f]',
      description: 'At least one character is not white space, and none is a control character.',
    },
    categoryId,
    status: refTo('PetStatus'),
  },
  examples: [{ name: 'Rex', categoryId: 7, status: 'available' }],
} as const;

const Pet = {
  type: 'object',
  required: ['id', 'name', 'categoryId'],
  properties: {
    id: { type: 'integer', format: 'int64', description: 'Assigned by the service.' },
    name: { type: 'string' },
    categoryId,
    status: refTo('PetStatus'),
  },
} as const;

const ErrorSchema = {
  type: 'object',
  required: ['code', 'message', 'status'],
  properties: {
    code: { type: 'string', enum: Object.keys(errorStatus), description: 'For programs.' },
    message: { type: 'string', description: 'For people.' },
    status: { type: 'integer', description: 'The HTTP status of the response.' },
  },
} as const;

const failures: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'A parameter or the body is missing something or holds an invalid value.',
  unauthorized: 'API key missing or invalid.',
  forbidden: 'The API key can only read.',
  not_found: 'The requested resource could not be found.',
  method_not_allowed: 'The path does not have this method.',
  request_timeout: 'The request did not arrive in time.',
  idempotency_conflict: 'The first request with this idempotency key is still running.',
  operation_removed: 'The operation has been removed.',
  payload_too_large: 'The body is larger than 64 KiB.',
  unsupported_media_type: 'The body is not application/json.',
  idempotency_mismatch: 'The idempotency key was used before for another pet.',
  headers_too_large: 'The header fields are too large.',
  internal_error: 'The service failed. Try again, an add with the same idempotency key.',
  unavailable:
    'The service is too busy or cannot use its database. Try again after Retry-After seconds.',
};

const always = [
  'unauthorized',
  'request_timeout',
  'headers_too_large',
  'internal_error',
  'unavailable',
] as const;

const failureHeaders: Partial<Record<ErrorCode, object>> = {
  unauthorized: { 'WWW-Authenticate': headerField('How to authenticate (RFC 6750).') },
  forbidden: { 'WWW-Authenticate': headerField('`error="insufficient_scope"` (RFC 6750).') },
  unavailable: { 'Retry-After': headerField('Seconds to wait.') },
};

const listPets = {
  operationId: 'listPets',
  tags: ['pets'],
  summary: 'List pets',
  description: 'Pets in the order of their ids, one page at a time.',
  parameters: [
    queryParameter('limit', 'Maximum number of pets returned.', {
      type: 'integer',
      minimum: pageLimits.min,
      maximum: pageLimits.max,
      default: pageLimits.default,
    }),
    queryParameter('status', 'Returns only pets with this status.', refTo('PetStatus')),
    queryParameter('order', 'By id: `asc` is oldest first, `desc` newest first.', {
      type: 'string',
      enum: orders,
      default: 'asc',
    }),
    queryParameter('cursor', 'Where the page starts: from the next link of the page before.', {
      type: 'string',
    }),
  ],
  responses: {
    200: success('The pets of this page.', 'Pets', {
      Link: headerField('The next page, with `rel="next"` (RFC 8288). Absent on the last page.'),
    }),
    ...describeFailures('invalid_request', ...always),
  },
};

const createPet = {
  operationId: 'createPet',
  tags: ['pets'],
  summary: 'Add a pet',
  description: `Adds a pet. Its status is \`${DEFAULT_STATUS}\` unless given.`,
  parameters: [
    {
      name: headerNames.idempotencyKey,
      in: 'header',
      required: false,
      description: `Makes the request safe to repeat for ${IDEMPOTENCY_DAYS} days: the same key and body get the same response as the first time.`,
      schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
    },
  ],
  requestBody: { required: true, content: { 'application/json': { schema: refTo('NewPet') } } },
  responses: {
    201: success('The pet, with its id.', 'Pet', {
      Location: headerField('Where the pet is, relative to the request.'),
      [headerNames.idempotencyReplayed]: headerField(
        '`true` where this response was sent before for the same key.',
      ),
      [headerNames.idempotencyExpires]: headerField(
        'Until when the service knows the idempotency key, as an HTTP date. Absent without a key.',
      ),
    }),
    ...describeFailures(
      'invalid_request',
      'forbidden',
      'idempotency_conflict',
      'payload_too_large',
      'unsupported_media_type',
      'idempotency_mismatch',
      ...always,
    ),
  },
};

const getPet = {
  operationId: 'getPet',
  tags: ['pets'],
  summary: 'Get a pet',
  description: `One pet by its id. Removed on ${GET_PET_SUNSET.toISOString()}: use listPets with a status instead.`,
  deprecated: true,
  parameters: [
    {
      name: 'petId',
      in: 'path',
      required: true,
      description: 'Identifier of the pet to fetch.',
      schema: { type: 'integer', format: 'int64' },
    },
  ],
  responses: {
    200: success('The pet.', 'Pet', {
      Deprecation: headerField('When the operation was deprecated (RFC 9745).'),
      Sunset: headerField('When the operation is removed (RFC 8594).'),
      Link: headerField('The successor, with `rel="successor-version"`.'),
    }),
    ...describeFailures('invalid_request', 'not_found', 'operation_removed', ...always),
  },
};

export const openApi = {
  openapi: '3.1.0',
  info: {
    title: 'Pet store',
    version: '1.0.0',
    description: `The catalog of pets offered by a store. Served by petstore ${version}.`,
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: BASE_PATH, description: 'This service' }],
  security: [{ apiKey: [] }],
  tags: [{ name: 'pets', description: 'Pets and their availability' }],
  paths: { '/pets': { get: listPets, post: createPet }, '/pets/{petId}': { get: getPet } },
  components: {
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description: 'An API key of this store. One whose access is `read` cannot add.',
      },
    },
    schemas: {
      PetStatus,
      NewPet,
      Pet,
      Pets: { type: 'array', maxItems: pageLimits.max, items: refTo('Pet') },
      Error: ErrorSchema,
    },
  },
};

function refTo(schema: string) {
  return { $ref: `#/components/schemas/${schema}` };
}

function queryParameter(name: string, description: string, schema: object) {
  return { name, in: 'query', required: false, description, schema };
}

function headerField(description: string) {
  return { description, schema: { type: 'string' } };
}

function success(description: string, schema: string, fields: object) {
  const everyFields = {
    [headerNames.petstoreIdempotency]: headerField(
      'How long idempotency keys are kept, such as `7d`.',
    ),
    [headerNames.petstoreKey]: headerField(
      'What the API key may do and when it ends: a Dictionary (RFC 9651), such as `access=write, expires=@1798761600`.',
    ),
  };
  return {
    description,
    headers: { ...fields, ...everyFields },
    content: { 'application/json': { schema: refTo(schema) } },
  };
}

function describeFailures(...codes: readonly ErrorCode[]) {
  return Object.fromEntries(
    codes.map((code) => {
      const status = errorStatus[code];
      const example = { code, message: failures[code], status };
      return [
        status,
        {
          description: failures[code],
          headers: failureHeaders[code],
          content: { 'application/json': { schema: refTo('Error'), example } },
        },
      ];
    }),
  );
}
