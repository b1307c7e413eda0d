import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { headers, IDEMPOTENCY_DAYS } from './headers.ts';
import {
  BASE_PATH,
  GET_PET_SUNSET,
  type OperationName,
  operations,
  pageLimits,
} from './operations.ts';
import { NewPet, Pet, PetStatus } from './pet.ts';
import { type ErrorCode, errorStatus, ServiceError } from './service-error.ts';

type JsonObject = { [key: string]: unknown };

const problems: Record<number, string> = {
  400: 'A parameter or the body is missing something or holds an invalid value.',
  401: 'API key missing or invalid.',
  403: 'The API key can only read.',
  404: 'The requested resource could not be found.',
  408: 'The request did not arrive in time.',
  409: 'The first request with this idempotency key is still running.',
  410: 'The operation has been removed.',
  413: 'The body is larger than 64 KiB.',
  415: 'The body is not application/json.',
  422: 'The idempotency key was used before with another body.',
  431: 'The header fields are too large.',
  500: 'The service failed. Try again, an add with the same idempotency key.',
  503: 'The service is too busy or cannot reach its database. Try again after Retry-After seconds.',
};

const everyOperation: ErrorCode[] = [
  'unauthorized',
  'request_timeout',
  'headers_too_large',
  'internal_error',
  'unavailable',
];

/** The OpenAPI 3.1 description of the service, made from the same schemas that client and service run on. */
export function buildOpenApi(version: string): JsonObject {
  return {
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
    paths: describePaths(),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of this store. One whose access is `read` cannot add.',
        },
      },
      schemas: {
        PetStatus: schemaOf(PetStatus),
        NewPet: {
          ...schemaOf(NewPet),
          examples: [{ name: 'Rex', categoryId: 7, status: 'available' }],
        },
        Pet: schemaOf(Pet),
        Pets: { type: 'array', maxItems: pageLimits.max, items: refTo('Pet') },
        Error: schemaOf(ServiceError),
      },
    },
  };
}

const descriptions: Record<OperationName, () => JsonObject> = {
  listPets: describeListPets,
  createPet: describeCreatePet,
  getPet: describeGetPet,
};

function describePaths(): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const { name, method, path } of operations)
    paths[path] = { ...paths[path], [method.toLowerCase()]: descriptions[name]() };
  return paths;
}

function describeListPets(): JsonObject {
  return {
    ...describe('listPets', 'List pets', 'Pets in the order of their ids, one page at a time.'),
    parameters: [
      queryParameter('limit', 'Maximum number of pets returned.', {
        type: 'integer',
        minimum: pageLimits.min,
        maximum: pageLimits.max,
        default: pageLimits.default,
      }),
      queryParameter('status', 'Returns only pets with this status.', refTo('PetStatus')),
      queryParameter(
        'cursor',
        'Where the page begins: taken from the next link of the page before, never made by hand.',
        {
          type: 'string',
        },
      ),
    ],
    responses: {
      200: success('The pets of this page.', 'Pets', {
        Link: header('The next page, with rel="next" (RFC 8288). Absent on the last page.'),
      }),
      ...failures(['invalid_request', ...everyOperation]),
    },
  };
}

function describeCreatePet(): JsonObject {
  return {
    ...describe('createPet', 'Add a pet', 'Adds a pet. Its status is available unless given.'),
    parameters: [
      {
        name: headers.idempotencyKey,
        in: 'header',
        required: false,
        description: `Makes the request safe to repeat for ${IDEMPOTENCY_DAYS} days: the same key and body get the same response as the first time.`,
        schema: { type: 'string', minLength: 1, maxLength: 255 },
      },
    ],
    requestBody: { required: true, content: { 'application/json': { schema: refTo('NewPet') } } },
    responses: {
      201: success('The pet, with the id it was given.', 'Pet', {
        Location: header('Where the pet is, relative to the base URL.'),
        [headers.idempotencyReplayed]: header(
          '`true` when this response was sent before for the same key.',
        ),
      }),
      ...failures([
        'invalid_request',
        'forbidden',
        'idempotency_conflict',
        'payload_too_large',
        'unsupported_media_type',
        'idempotency_mismatch',
        ...everyOperation,
      ]),
    },
  };
}

function describeGetPet(): JsonObject {
  return {
    ...describe(
      'getPet',
      'Get a pet',
      `One pet by its id. Removed on ${GET_PET_SUNSET.toISOString()}; use listPets with a status instead.`,
    ),
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
        Deprecation: header('When the operation was deprecated (RFC 9745).'),
        Sunset: header('When the operation is removed (RFC 8594).'),
        Link: header('The successor, with rel="successor-version".'),
      }),
      ...failures(['invalid_request', 'not_found', 'operation_removed', ...everyOperation]),
    },
  };
}

function describe(operationId: OperationName, summary: string, description: string): JsonObject {
  return { operationId, tags: ['pets'], summary, description };
}

function queryParameter(name: string, description: string, schema: JsonObject): JsonObject {
  return { name, in: 'query', required: false, description, schema };
}

function header(description: string): JsonObject {
  return { description, schema: { type: 'string' } };
}

function success(description: string, schema: string, ownHeaders: JsonObject): JsonObject {
  return {
    description,
    headers: {
      ...ownHeaders,
      [headers.petstoreIdempotency]: header(
        'How long idempotency keys are remembered, such as `7d`.',
      ),
      [headers.petstoreKey]: header(
        'What the API key may do, and when it ends if it does: a Dictionary (RFC 9651), such as `access=write, expires=@1798761600`.',
      ),
    },
    content: { 'application/json': { schema: refTo(schema) } },
  };
}

function failures(codes: ErrorCode[]): JsonObject {
  return Object.fromEntries(
    codes.map((code) => {
      const status = errorStatus[code];
      const example = { code, message: problems[status], status };
      return [
        status,
        {
          description: problems[status],
          content: { 'application/json': { schema: refTo('Error'), example } },
        },
      ];
    }),
  );
}

function refTo(schema: string): JsonObject {
  return { $ref: `#/components/schemas/${schema}` };
}

function schemaOf(schema: v.GenericSchema): JsonObject {
  // Schemas and checks without a counterpart in JSON Schema carry their own `metadata` instead.
  const { $schema, ...rest } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: 'input',
    errorMode: 'ignore',
  });
  return rest;
}
