/** What a request does unless its caller says otherwise. */
export const requestDefaults = {
  /** Milliseconds per attempt. */
  timeout: 30_000,
  /** After the first attempt. */
  retries: 2,
} as const;
