/** The environment variables of the process, handed in by `main` so that nothing else reads the real ones. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Every variable that the program knows, with its meaning for the manual; others that begin with PETSTORE_ are ignored. */
export const variableMeanings = {
  PETSTORE_ENV: 'the environment to use; --env overrides it',
  PETSTORE_OUTPUT: 'the output format; --output overrides it',
  'PETSTORE_<ENV>_URL': 'the address of an environment, such as PETSTORE_STAGING_URL',
  'PETSTORE_<ENV>_API_KEY': 'the API key of an environment',
  PETSTORE_API_KEY: 'the API key of the selected environment',
  PETSTORE_API_KEY_FILE: 'a file that holds the API key of the selected environment',
  PETSTORE_CONFIG_DIR: 'the folder of config.json and keys.json',
  PETSTORE_DEBUG: 'adds the stack to error messages',
  'PETSTORE_SERVE_<SETTING>': 'a setting of serve, such as PETSTORE_SERVE_PORT',
  HTTPS_PROXY: 'the proxy to the service; not used for this computer',
  NO_PROXY: 'hosts that are reached without the proxy',
  NODE_EXTRA_CA_CERTS: 'a PEM file with more certificate authorities',
  NO_COLOR: 'no colors',
  FORCE_COLOR: 'colors also where stdout is not a terminal',
  PETSTORE_CATEGORIES: 'a file, or a folder with categories.csv, that names categories',
  CI: 'never asks',
  XDG_CONFIG_HOME: 'config and keys are in its folder petstore',
  XDG_STATE_HOME: 'records of imports are in its folder petstore',
  XDG_DATA_HOME: 'the database of serve is in its folder petstore',
  XDG_CACHE_HOME: 'code compiled for a faster start is in its folder petstore',
} as const;

/** The variable that gives one environment its address or key: its name in capitals, a dash as an underscore. */
export function environmentVariable(environment: string, suffix: 'URL' | 'API_KEY'): string {
  return `PETSTORE_${environment.toUpperCase().replaceAll('-', '_')}_${suffix}`;
}
