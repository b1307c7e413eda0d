import { headers, IDEMPOTENCY_DAYS } from '../../contract/headers.ts';

/** An answer that will never change, as it goes over the wire. */
export interface KeptAnswer {
  readonly body: Buffer;
  /** What stands in its header beside what every answer has: names and values in turn, as Node writes them fastest. */
  readonly own: readonly string[];
  /** Its whole header but for the request's id. */
  readonly head: readonly string[];
}

/** What stands on every answer of the contract. */
export const idempotencyPromise = [headers.petstoreIdempotency, `${IDEMPOTENCY_DAYS}d`] as const;

/** Makes the answer 200 of JSON that is ready. */
export function makeAnswer(json: string, own: KeptAnswer['own']): KeptAnswer {
  const body = Buffer.from(json);
  const length = String(body.length);
  const type = ['content-type', 'application/json', 'content-length', length];
  return { body, own, head: [...idempotencyPromise, ...own, ...type] };
}

export interface KeptAnswers {
  find(url: string): KeptAnswer | undefined;
  keep(url: string, answer: KeptAnswer): void;
}

/** What one entry costs beside its bytes, roughly. */
const ENTRY_BYTES = 700;

/**
 * Answers kept for good, by the URL that asked for them. Nothing is ever invalidated, because the contract can neither
 * change nor remove a pet: a page with a next link and a pet that was found stay as they are. (The last page may still
 * grow.) An operation that changes pets would end this, and StoredPet with it.
 *
 * Two generations bound the memory: when the young one has half of the bytes it becomes the old one, whose rest, unused
 * since, is dropped. Dropping the oldest entry of one Map instead took 3 µs for each, as Map steps over what was deleted.
 */
export function createKeptAnswers(maxBytes: number): KeptAnswers {
  let young = new Map<string, KeptAnswer>();
  let old = new Map<string, KeptAnswer>();
  let youngBytes = 0;

  function keep(url: string, answer: KeptAnswer): void {
    const bytes = answer.body.length + url.length + ENTRY_BYTES;
    if (bytes > maxBytes / 2) return;
    if (youngBytes + bytes > maxBytes / 2) {
      old = young;
      young = new Map();
      youngBytes = 0;
    }
    young.set(url, answer);
    youngBytes += bytes;
  }

  return {
    find(url) {
      const answer = young.get(url);
      if (answer !== undefined) return answer;
      const rescued = old.get(url);
      if (rescued !== undefined) keep(url, rescued);
      return rescued;
    },
    keep,
  };
}
