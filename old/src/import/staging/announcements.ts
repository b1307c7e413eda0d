import * as v from 'valibot';
import type { LocalDatabase } from '../../files/open-local-database.ts';

/** Rows up to this one may be sent from this time on. */
export interface Announcement {
  upTo: number;
  at: Date;
}

const Highest = v.object({ highest: v.nullable(v.number()) });
const endOfTime = new Date(8.64e15);

/** Which rows may have been sent, by this run or an earlier one. */
export function createAnnouncements(database: LocalDatabase) {
  const insert = database.prepare('INSERT OR IGNORE INTO announcements VALUES (?, ?)');
  const highest = database.prepare(
    'SELECT max(up_to) AS highest FROM announcements WHERE at < ? OR at > ?',
  );
  const findHighest = (before: Date, after: Date): number | null =>
    database.read(() => v.parse(Highest, highest.get(before.getTime(), after.getTime())).highest);
  /** Rows up to here may have been sent by an earlier run. */
  const inherited = findHighest(endOfTime, endOfTime) ?? 0;
  return {
    /** Within a transaction. */
    announce({ upTo, at }: Announcement): void {
      insert.run(upTo, at.getTime());
    },
    /** Of the rows announced in this run, none beyond this one was sent. */
    retract: (lastSent: number): void => retract(database, Math.max(lastSent, inherited)),
    /** Gives up rows without an outcome that may have been sent before one time, or after the other. */
    giveUp(before: Date, reason: string, after = endOfTime): void {
      const upTo = findHighest(before, after);
      if (upTo !== null) giveUp(database, upTo, reason);
    },
  };
}

/** The first announcement that covers the row ends with it, at its own time; later ones go. */
function retract(database: LocalDatabase, row: number): void {
  const removeLater = database.prepare(
    `DELETE FROM announcements
     WHERE up_to > (SELECT min(up_to) FROM announcements WHERE up_to >= ?)`,
  );
  const shorten = database.prepare('UPDATE announcements SET up_to = ? WHERE up_to > ?');
  database.transact(() => {
    removeLater.run(row);
    shorten.run(row, row);
  });
}

/** Groups are looked at up to the one with the row: parsing all of a large import takes long. */
function giveUp(database: LocalDatabase, upTo: number, reason: string): void {
  const insert = database.prepare(
    `INSERT INTO outcomes
     SELECT value ->> 0 AS number, 'unknown', NULL, :outcome FROM groups, json_each(groups.rows)
     WHERE last <= ifnull((SELECT min(last) FROM groups WHERE last >= :upTo), :upTo)
       AND number <= :upTo AND number NOT IN (SELECT row FROM outcomes)`,
  );
  const outcome = JSON.stringify({ kind: 'unknown', reason });
  database.transact(() => insert.run({ outcome, upTo }));
}
