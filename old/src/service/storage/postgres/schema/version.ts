import type { Client } from 'pg';
import * as v from 'valibot';
import { StoreOpenError } from '../../store.ts';

const PresenceRow = v.object({ hasVersion: v.boolean(), hasOthers: v.boolean() });
const selectPresence = `
  SELECT to_regclass('petstore_schema') IS NOT NULL AS "hasVersion",
    to_regclass('id_counters') IS NOT NULL AND to_regclass('idempotency_keys') IS NOT NULL AS "hasOthers"`;

const VersionRow = v.object({ version: v.number() });
export const selectVersion = "SELECT version FROM petstore_schema WHERE name = 'version'";

/** Whether there are tables of petstore, with their version or without. */
export async function isPresent(client: Client): Promise<boolean> {
  const { hasVersion, hasOthers } = await readPresence(client);
  return hasVersion || hasOthers;
}

/** 0 when there is none; undefined when it is lost. @throws StoreOpenError when no program of ours wrote it. */
export async function readVersion(client: Client): Promise<number | undefined> {
  const { hasVersion, hasOthers } = await readPresence(client);
  if (!hasVersion) return 0;
  const { rows } = await client.query(selectVersion);
  const version = v.parse(v.array(VersionRow), rows)[0]?.version ?? (hasOthers ? undefined : 0);
  if (version === undefined || version >= 0) return version;
  throw new StoreOpenError(
    `the database has schema version ${version}, which no petstore writes: restore a backup`,
  );
}

async function readPresence(client: Client) {
  const { rows } = await client.query(selectPresence);
  return v.parse(v.tuple([PresenceRow]), rows)[0];
}
