import type { ConfigFile } from '../../config/files/config-file.ts';
import type { Variables } from '../../config/files/paths.ts';
import { createKeyFile } from '../../config/keys/key-file.ts';
import { createKeyRecords } from '../../config/keys/key-records.ts';
import { createKeys, type Keys } from '../../config/keys/keys.ts';
import { createStoredKeys } from '../../config/keys/stored-keys.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { Host } from '../host.ts';

export interface OpenKeysInput {
  variables: Variables;
  configFile: string;
  keyFile: string;
  readConfig(): ConfigFile;
}

/** Keys that are never written: whichever is found is taken out of all output from then on. */
export function openKeys(host: Host, terminal: Terminal, config: OpenKeysInput): Keys {
  const { variables } = host;
  const keychain = host.openKeychain({
    variables,
    canAsk: () => terminal.canAsk,
    signal: host.signal,
    onWait: () => terminal.warn('Waiting for the OS keychain; it may be asking you to unlock it.'),
  });
  const records = createKeyRecords(config);
  const stored = createStoredKeys({ records, keychain, keyFile: createKeyFile(config.keyFile) });
  const keys = createKeys({ variables, stored, records, keyFile: config.keyFile });
  return {
    ...keys,
    find: async (target) => {
      const key = await keys.find(target);
      terminal.addSecret(key.value);
      return key;
    },
  };
}
