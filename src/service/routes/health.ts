import type { Handler } from '../http/message.ts';
import { jsonResponse } from '../http/responses.ts';

/** The process lives. */
export const getHealth: Handler = () => jsonResponse(200, '{"status":"ok"}');

/** Its database responds, too. */
export const getReadiness: Handler = async (_request, { store }) => {
  await store.ping();
  return jsonResponse(200, '{"status":"ready"}');
};
