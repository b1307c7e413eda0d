/** Redacts secrets in text that is about to leave the program. */
export interface Redactor {
  /** From now on this text is redacted; not when it is too short to be a key, or every letter would go. */
  addSecret(secret: string): void;
  redact(text: string): string;
}

const SHORTEST_SECRET = 6;

export function createRedactor(): Redactor {
  let secrets: string[] = [];
  return {
    addSecret(secret) {
      if (secret.length < SHORTEST_SECRET) return;
      // Also as it looks inside a JSON string, and inside a URL. The longest goes first:
      // the plain key, replaced inside its JSON form, would leave a backslash that breaks the JSON.
      const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
      secrets = [...new Set([...secrets, ...forms])].sort((a, b) => b.length - a.length);
    },
    redact(text) {
      let clean = text;
      for (const secret of secrets) clean = clean.replaceAll(secret, '[redacted]');
      return clean;
    },
  };
}
