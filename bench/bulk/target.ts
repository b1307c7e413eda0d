/** The variables of a command that talks to this service, with its files in this folder. */
export function describeTarget(folder: string, url: string, key: string): Record<string, string> {
  return {
    XDG_CONFIG_HOME: folder,
    XDG_STATE_HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CACHE_HOME: folder,
    PETSTORE_STAGING_URL: url,
    PETSTORE_API_KEY: key,
  };
}
