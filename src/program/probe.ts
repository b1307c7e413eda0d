import type { ClientOptions, Probe } from '../client/petstore-client.ts';
import { readClientOptions } from './client-options.ts';
import type { Context } from './context.ts';

/** One request to an address, with or without a key. @throws RequestError where no pet store responds. */
export async function probe(
  context: Context,
  baseUrl: URL,
  options: Pick<ClientOptions, 'apiKey' | 'timeoutMs'> = {},
): Promise<Probe> {
  const { createPetstoreClient } = await import('../client/petstore-client.ts');
  const client = createPetstoreClient({
    ...readClientOptions(context, baseUrl, options.apiKey),
    ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
  });
  try {
    return await client.probe();
  } finally {
    await client.close();
  }
}
