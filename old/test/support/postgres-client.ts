import { Client } from 'pg';
import { onTestFinished } from 'vitest';

/** A plain connection of the driver, closed at the end of the test: for what an operator does to a database. */
export async function connectClient(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  onTestFinished(async () => {
    await client.end().catch(() => {});
  });
  return client;
}
