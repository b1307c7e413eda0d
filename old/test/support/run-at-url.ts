import { runBuilt } from './built-program.ts';
import { createHome } from './run-program.ts';
import { sharedCache } from './shared-cache.ts';
import { stagingAt } from './staging.ts';

export const rex = '{"id":1,"name":"Rex","categoryId":7,"status":"available"}';

export async function run(line: string, url: string, env: Record<string, string> = {}) {
  const own = { HOME: await createHome(), ...sharedCache, ...stagingAt(url) };
  return await runBuilt(line, { env: { ...own, ...env } });
}
