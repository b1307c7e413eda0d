/** Takes secrets out of text that is about to leave the program. */
export interface Redactor {
  /** From now on this text is never written; what is too short to be a key is left alone, or every letter would go. */
  keepSecret(secret: string): void;
  redact(text: string): string;
}

const SHORTEST_SECRET = 6;

export function createRedactor(): Redactor {
  let secrets: string[] = [];
  return {
    keepSecret(secret) {
      if (secret.length < SHORTEST_SECRET) return;
      // Also as it looks inside a JSON string, and inside a URL. The longest goes first:
      // the plain key, taken out of its JSON writing, would leave a backslash that breaks the JSON.
      const writings = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
      secrets = [...new Set([...secrets, ...writings])].sort((a, b) => b.length - a.length);
    },
    redact(text) {
      let clean = text;
      for (const secret of secrets) clean = clean.replaceAll(secret, '[redacted]');
      return clean;
    },
  };
}
