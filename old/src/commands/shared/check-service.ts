import type { Context } from '../../program/context/context.ts';
import { requireWriteKey } from './require-write-key.ts';

/** Finds out by one small request whether URL, key and service work for a write, so that nobody types answers in vain. @throws UserError, RequestError. */
export async function checkService(context: Context): Promise<void> {
  requireWriteKey(context);
  const client = await context.client();
  await client.listPets({ limit: 1 });
  requireWriteKey(context);
}
