/** How many requests may be under way at once. The limit follows the service: slower when it says it is too busy, faster while it keeps up. */
export interface Pace {
  /** Resolves when another request may begin. */
  enter(): Promise<void>;
  leave(): void;
  /** The service answered that it is too busy (429 or 503). */
  slowDown(): void;
  /** The service answered as asked. */
  speedUp(): void;
  limit(): number;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

/**
 * Additive increase, multiplicative decrease, as TCP does it (RFC 5681, section 3.1): the limit doubles a round at
 * first, is halved at a sign of overload, and grows by one a round from then on.
 * @param max what the limit never exceeds.
 */
export function createPace(max: number): Pace {
  let limit = Math.min(max, 4);
  let hasSlowed = false;
  let underWay = 0;
  /** Answers still to come from requests that left before the last slowing; they tell nothing new. */
  let stale = 0;
  const entering: (() => void)[] = [];
  let idling: (() => void)[] = [];

  function admit(): void {
    while (entering.length > 0 && underWay < Math.floor(limit)) {
      underWay += 1;
      entering.shift()?.();
    }
  }

  return {
    enter: () =>
      new Promise((resolve) => {
        entering.push(resolve);
        admit();
      }),
    leave() {
      underWay -= 1;
      if (stale > 0) stale -= 1;
      admit();
      if (underWay > 0) return;
      for (const wake of idling) wake();
      idling = [];
    },
    slowDown() {
      if (stale > 0) return;
      limit = Math.max(1, limit / 2);
      stale = underWay;
      hasSlowed = true;
    },
    speedUp() {
      limit = Math.min(max, limit + (hasSlowed ? 1 / limit : 1));
    },
    limit: () => Math.floor(limit),
    idle: () => (underWay === 0 ? Promise.resolve() : new Promise((wake) => idling.push(wake))),
  };
}
