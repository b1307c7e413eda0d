/** Takes secrets out of text that is about to leave the program. */
export interface Redactor {
  /** From now on this text is never written; what is too short to be a key is left alone, or every letter would go. */
  keepSecret(secret: string): void;
  redact(text: string): string;
}

const SHORTEST_SECRET = 6;

export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  return {
    keepSecret(secret) {
      if (secret.length < SHORTEST_SECRET) return;
      secrets.add(secret);
      // The same key as it looks inside a JSON string, and inside a URL.
      secrets.add(JSON.stringify(secret).slice(1, -1));
      secrets.add(encodeURIComponent(secret));
    },
    redact(text) {
      let clean = text;
      for (const secret of secrets) clean = clean.replaceAll(secret, '[redacted]');
      return clean;
    },
  };
}
