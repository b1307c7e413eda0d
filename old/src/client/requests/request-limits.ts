/** Milliseconds that all attempts of a request may take together; one attempt is never given longer. */
export const TOTAL_MS = 120_000;
