/** Settings of this machine that would be seen in a picture. */
const personal = /^(?:CI|NO_COLOR|FORCE_COLOR|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|\w+_PROXY)$/i;

/** The variables that a picture may depend on. */
export function dropPersonal(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !personal.test(name)));
}

/** What differs from run to run and from machine to machine, and what is shown instead. */
const changing: readonly (readonly [RegExp, string])[] = [
  [/(127\.0\.0\.1|localhost):\d+/g, '$1:8080'],
  [/, [\d,]+\/s/, ''],
  [/\/\S*petstore-pictures-\w+/g, '/home/ann/.config'],
  [/responded in \d+ ms/, 'responded in 12 ms'],
  [/ending \w{4}\b/g, 'ending a1b2'],
  [/Node \d+\.\d+\.\d+/, 'Node 20.19.0'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/, '2026-11-20T09:30:00.000Z'],
];

/** A line of the screen as it is on every machine. */
export function hideChanging(line: string): string {
  return changing.reduce((text, [found, shown]) => text.replace(found, shown), line);
}
