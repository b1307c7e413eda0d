const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const time = String.raw`(?<hours>\d\d):(?<minutes>\d\d):(?<seconds>\d\d)`;
const month = '(?<month>[A-Z][a-z]{2})';

/**
 * The one form that is sent today, and the two that must still be read (RFC 9110, section 5.6.7). Created when they are
 * used, as few responses hold a date that matters.
 */
const createForms = () =>
  [
    String.raw`[A-Z][a-z]{2}, (?<day>\d\d) ${month} (?<year>\d{4}) ${time} GMT`,
    String.raw`[A-Z][a-z]+day, (?<day>\d\d)-${month}-(?<year>\d\d) ${time} GMT`,
    String.raw`[A-Z][a-z]{2} ${month} (?<day>[ \d]\d) ${time} (?<year>\d{4})`,
  ].map((form) => new RegExp(`^${form}$`));

const CENTURY = 100;
/** A year of two digits that seems further ahead than this is one of the century before. */
const MAX_YEARS_AHEAD = 50;

/** Reads a date of an HTTP header, in milliseconds since 1970. Stricter than `Date.parse`, which takes almost any text for a date. */
export function parseHttpDate(text: string, now: number): number | undefined {
  const parts = createForms()
    .map((form) => form.exec(text)?.groups)
    .find((groups) => groups !== undefined);
  if (parts === undefined) return undefined;
  const at = (name: string) => Number(parts[name]);
  const date = new Date(0);
  date.setUTCFullYear(
    chooseYear(parts.year ?? '', new Date(now).getUTCFullYear()),
    months.indexOf(parts.month ?? ''),
    at('day'),
  );
  date.setUTCHours(at('hours'), at('minutes'), at('seconds'));
  const isReal = date.getUTCDate() === at('day') && date.getUTCMinutes() === at('minutes');
  return isReal && months[date.getUTCMonth()] === parts.month ? date.getTime() : undefined;
}

function chooseYear(digits: string, thisYear: number): number {
  if (digits.length === 4) return Number(digits);
  const year = thisYear - (thisYear % CENTURY) + Number(digits);
  return year > thisYear + MAX_YEARS_AHEAD ? year - CENTURY : year;
}
