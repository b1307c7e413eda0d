import { parseServeSettings, type ServeSettings } from '../../src/service/settings.ts';

/** The settings of a service on a free port, as `serve` would have them: a new one has its default here. */
export function testSettings(changed: Partial<ServeSettings> = {}): ServeSettings {
  const flags = { port: '0', docs: false };
  return { ...parseServeSettings({ flags, variables: {} }), ...changed };
}
