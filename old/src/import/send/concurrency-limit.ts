export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>;

/**
 * How many requests may be in flight at once. The limit follows the service: lower when it says it is too busy, higher while it keeps up.
 * Additive increase, multiplicative decrease, as TCP does it (RFC 5681, section 3.1): the limit doubles per round at
 * first, is halved at a sign of overload, and grows by one per round from then on.
 * @param max what the limit never exceeds.
 */
export function createConcurrencyLimit(max: number) {
  let limit = Math.min(max, 4);
  let hasSlowed = false;
  let inFlight = 0;
  /** Responses still to come from requests that left before the limit was last lowered: they say nothing new. */
  let stale = 0;
  const entering: (() => void)[] = [];
  let idling: (() => void)[] = [];

  function admit(): void {
    while (entering.length > 0 && inFlight < Math.floor(limit)) {
      inFlight += 1;
      entering.shift()?.();
    }
  }

  return {
    /** Resolves when another request may start. */
    enter: () =>
      new Promise<void>((resolve) => {
        entering.push(resolve);
        admit();
      }),
    leave(): void {
      inFlight -= 1;
      if (stale > 0) stale -= 1;
      admit();
      if (inFlight > 0) return;
      for (const wake of idling) wake();
      idling = [];
    },
    /** The service responded that it is too busy (429 or 503). */
    slowDown(): void {
      if (stale > 0) return;
      limit = Math.max(1, limit / 2);
      stale = inFlight;
      hasSlowed = true;
    },
    /** The service did what it was asked. */
    speedUp(): void {
      limit = Math.min(max, limit + (hasSlowed ? 1 / limit : 1));
    },
    /** Resolves when no request is in flight. */
    async idle(): Promise<void> {
      if (inFlight > 0) await new Promise<void>((wake) => idling.push(wake));
    },
  };
}
