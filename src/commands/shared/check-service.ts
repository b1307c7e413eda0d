import type { Context } from '../../program/context/context.ts';

/** Finds out by one small request whether URL, key and service work, so that nobody types answers in vain. @throws UserError, RequestError. */
export async function checkService(context: Context): Promise<void> {
  const client = await context.client();
  await client.listPets({ limit: 1 });
}
