/** Runs work in the order it came: at once, but only so much per turn of the event loop, so that everything else has its turn in between. */
export type Turns = (work: () => void) => void;

export function createTurns(workPerTurn: number): Turns {
  const waiting: (() => void)[] = [];
  /** In this turn. */
  let count = 0;

  function startTurn(): void {
    const works = waiting.splice(0, workPerTurn);
    count = works.length;
    if (count > 0) setImmediate(startTurn);
    for (const work of works) work();
  }

  return (work) => {
    if (count === 0) setImmediate(startTurn);
    if (count >= workPerTurn || waiting.length > 0) {
      waiting.push(work);
      return;
    }
    count += 1;
    work();
  };
}
