import * as v from 'valibot';
import type { LocalDatabase } from '../../files/open-local-database.ts';

/** Since when rows may have been sent: written ahead of them, so that a row never attempted is known as such after any crash. */
export interface Announcements {
  /** Rows up to this one may be sent from now on. */
  add(upTo: number, at: Date): void;
  /** Of the rows that were announced since the database was opened, none beyond this one was sent. */
  retract(lastSent: number): void;
  /** The highest row that may have been sent before this time; 0 when there is none. */
  findHighest(before: Date): number;
}

const Highest = v.object({ highest: v.nullable(v.number()) });
const Time = v.object({ at: v.number() });

export function createAnnouncements(database: LocalDatabase): Announcements {
  const highest = database.prepare('SELECT max(up_to) AS highest FROM announcements WHERE at < ?');
  const insert = database.prepare('INSERT OR IGNORE INTO announcements VALUES (?, ?)');
  const first = database.prepare(
    'SELECT at FROM announcements WHERE up_to >= ? ORDER BY up_to LIMIT 1',
  );
  const remove = database.prepare('DELETE FROM announcements WHERE up_to > ?');
  const findHighest = (before: number) => v.parse(Highest, highest.get(before)).highest ?? 0;
  /** Rows up to here may have been sent by an earlier run. */
  const inherited = findHighest(Number.MAX_SAFE_INTEGER);
  let announced = inherited;
  return {
    add(upTo, at) {
      if (upTo <= announced) return;
      insert.run(upTo, at.getTime());
      announced = upTo;
    },
    retract(lastSent) {
      const row = Math.max(lastSent, inherited);
      if (row >= announced) return;
      const { at } = v.parse(Time, first.get(row));
      remove.run(row);
      if (row > 0) insert.run(row, at);
      announced = row;
    },
    findHighest: (before) => findHighest(before.getTime()),
  };
}
