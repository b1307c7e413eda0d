import type { Probe } from '../../client/petstore-client.ts';
import { RequestError } from '../../client/request-error.ts';
import { UserError } from '../../errors.ts';
import { readClientOptions } from '../client-options.ts';
import type { Context } from '../context.ts';

/** One request to an address, with or without a key. @throws RequestError where no pet store responds. */
export async function probe(context: Context, baseUrl: URL, apiKey?: string): Promise<Probe> {
  const { createPetstoreClient } = await import('../../client/petstore-client.ts');
  const client = createPetstoreClient(readClientOptions(context, baseUrl, apiKey));
  try {
    return await client.probe();
  } finally {
    await client.close();
  }
}

/** What is wrong with what was typed, for the line below its prompt. @throws what is not a failure in words. */
export function describeProblem(error: unknown): string {
  if (error instanceof RequestError || error instanceof UserError) {
    return [error.message, ...error.details].join(' ');
  }
  throw error;
}
