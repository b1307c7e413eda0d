/** Of a service's own text, so much is repeated in an error. */
const MAX_QUOTED_LENGTH = 1_000;

/** Text of a service, ready for an error: without the API key and not too long. */
export type Quote = (text: string, maxLength?: number) => string;

/** Keys shorter than this are in every text. */
const SHORTEST_KEY = 6;

/** The key is redacted first: cut in two, it would no longer be recognized. */
export function createQuote(apiKey: string): Quote {
  const forms = apiKey.length < SHORTEST_KEY ? [] : [apiKey, encodeURIComponent(apiKey)];
  return (text, maxLength = MAX_QUOTED_LENGTH) => {
    const clean = forms.reduce((rest, form) => rest.replaceAll(form, '[redacted]'), text);
    if (clean.length <= maxLength) return clean;
    // No half of a character at the end.
    return `${clean.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')}…`;
  };
}
