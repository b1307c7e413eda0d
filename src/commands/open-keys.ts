import type { ConfigFile } from '../config/config-file.ts';
import { createKeyFile } from '../config/key-file.ts';
import { createKeyRecords } from '../config/key-records.ts';
import { createKeys, type Keys } from '../config/keys.ts';
import type { Variables } from '../config/paths.ts';
import { createStoredKeys } from '../config/stored-keys.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Edges } from './edges.ts';

export interface OpenKeysInput {
  variables: Variables;
  configFile: string;
  keyFile: string;
  readConfig(): ConfigFile;
}

/** Keys that are never written: whichever is found is taken out of all output from then on. */
export function openKeys(edges: Edges, terminal: Terminal, config: OpenKeysInput): Keys {
  const { variables } = edges;
  const keychain = edges.openKeychain({
    variables,
    canAsk: () => terminal.canAsk,
    signal: edges.signal,
    onWait: () => terminal.warn('Waiting for the OS keychain; it may be asking you to unlock it.'),
  });
  const records = createKeyRecords(config);
  const stored = createStoredKeys({ records, keychain, keyFile: createKeyFile(config.keyFile) });
  const keys = createKeys({ variables, stored, records, keyFile: config.keyFile });
  return {
    ...keys,
    find: async (target) => {
      const key = await keys.find(target);
      terminal.keepSecret(key.value);
      return key;
    },
  };
}
