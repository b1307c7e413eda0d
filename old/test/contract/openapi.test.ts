import { describe, expect, it } from 'vitest';
import { buildOpenApi } from '../../src/contract/openapi.ts';

const document = buildOpenApi('0.0.0');

describe('the OpenAPI document', () => {
  it('has the three operations of the contract with all their responses', () => {
    expect(document.paths).toMatchObject({
      '/pets': {
        get: { operationId: 'listPets', responses: { 200: {}, 400: {}, 401: {} } },
        post: { operationId: 'createPet', responses: { 201: {}, 400: {}, 401: {}, 422: {} } },
      },
      '/pets/{petId}': {
        get: {
          operationId: 'getPet',
          deprecated: true,
          responses: { 200: {}, 401: {}, 404: {}, 410: {} },
        },
      },
    });
  });

  it('says int64 where the contract says int64, and which fields are required', () => {
    const int64 = { type: 'integer', format: 'int64' };
    const status = { type: 'string', enum: ['available', 'pending', 'sold'] };
    expect(document.components).toMatchObject({
      schemas: {
        NewPet: {
          required: ['name', 'categoryId'],
          additionalProperties: false,
          properties: { name: { type: 'string', maxLength: 255 }, categoryId: int64, status },
        },
        Pet: {
          required: ['id', 'name', 'categoryId'],
          properties: { id: int64, name: { type: 'string' }, categoryId: int64, status },
        },
        Error: { required: ['code', 'message', 'status'] },
      },
    });
  });
});
