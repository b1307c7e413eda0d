/** The variables of a machine whose staging environment is at this URL. */
export function stagingAt(url: string, key = 'test-key-1234'): Record<string, string> {
  return { PETSTORE_STAGING_URL: url, PETSTORE_STAGING_API_KEY: key };
}
