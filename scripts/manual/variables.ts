/** What the program reads from the environment, for the manual; the README's table is tested against it. */
export const variables: readonly (readonly [name: string, meaning: string])[] = [
  ['PETSTORE_ENV', 'The environment to act on; --env beats it.'],
  ['PETSTORE_OUTPUT', 'The output format; --output beats it.'],
  ['PETSTORE_<ENV>_URL', 'The base address of an environment, such as PETSTORE_STAGING_URL.'],
  ['PETSTORE_<ENV>_API_KEY', 'The API key of an environment, such as PETSTORE_STAGING_API_KEY.'],
  ['PETSTORE_API_KEY', 'The API key of the selected environment.'],
  ['PETSTORE_API_KEY_FILE', 'A file that holds the API key of the selected environment.'],
  ['PETSTORE_CONFIG_DIR', 'The folder of config.json; beats XDG_CONFIG_HOME.'],
  ['PETSTORE_DEBUG', 'Adds the stack to error messages.'],
  ['PETSTORE_SERVE_<SETTING>', 'A setting of petstore serve, such as PETSTORE_SERVE_PORT.'],
  ['HTTPS_PROXY, NO_PROXY', 'The way to the service; an address of this machine needs no proxy.'],
  ['NODE_EXTRA_CA_CERTS', 'A PEM file of further certificate authorities to trust.'],
  ['NO_COLOR, FORCE_COLOR, TERM=dumb', 'Colours; --color beats them.'],
  ['COLUMNS', 'The width of tables.'],
  [
    'NODE_DISABLE_COMPILE_CACHE',
    'When set, no compiled code is kept to start faster the next time.',
  ],
  ['CI', 'When set, nothing is ever asked.'],
  [
    'XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_DATA_HOME, XDG_CACHE_HOME',
    'RequestTarget the folders below lie, when not at their usual places.',
  ],
];
