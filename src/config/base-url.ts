/** Reads an address as people type it. @throws UserError `cli_invalid_config`. */
export function parseBaseUrl(_text: string): URL {
  throw new Error('not written yet');
}
