import { environmentVariables } from '../../config/variables.ts';
import type { Topic } from '../../program/command.ts';
import { exitMeanings } from './exit-meanings.ts';

const { environment, environmentUrl, environmentKey, key, keyFile } = environmentVariables;

/** What `petstore help <topic>` prints. */
export const topics = {
  start: `The first five minutes

You need two things from whoever runs the service: its URL and an API key. On a terminal
petstore list asks for both the first time. Or set them up yourself:

  petstore env set staging --url https://pets.example.com/v1     with the URL you were given
  petstore auth login              asks for the key, without showing it
  petstore list                    see the pets
  petstore add                     asks for name, category and status
  petstore import delivery.csv     add a whole file: name, categoryId, status

staging is for trying things out. For the real store, add -e production to the line.
A pet cannot be changed or removed once it was added.
When something does not work, petstore doctor says what it is and what to do.
`,
  environments: `Environments

An environment is one installation of the service: a name, a URL, a key.
staging (the default) and production (protected) exist from the start, without a URL.

  petstore env set staging --url https://staging.example.com/v1
  petstore env use production        remember it for this user
  petstore env use production --for 30m   only for so long; then the one before
  export ${environment.name}=production    only in this shell
  petstore list -e production        only this time
  petstore env show --explain        what is in effect, and why

Which one is used: --env, then ${environment.name}, then "env use", then staging.
When the time of --for is over, the first command says so, and a write is refused until
--env or "env use" names an environment.
Its URL: ${environmentUrl.name}, then the config file.
Its API key: ${environmentKey.name}, ${key.name}, ${keyFile.name}, then
what "petstore auth login" stored. <ENV> is the name in capitals, "-" written as "_".

A write to a protected environment is confirmed: by a prompt on a terminal, elsewhere
by naming the environment (-e or ${environment.name}) together with --confirm <name>.
Protection belongs to the URL: another environment with the same URL is protected too.
`,
  support: `Support: a customer says that pet 4711 is wrong

A pet cannot be changed or removed once it was added. So look first:

  petstore get 4711 -e production
  petstore history list --env production --since 7d      was it added from this machine?

Ask the operator of the service which key added it, and when. Send:

  Please run "petstore db audit --pet 4711" on the machine of the production service and send
  me the line. I need the name of the key that added the pet, and the time.

Then add the right pet and tell the customer its number; both stay. A key that adds what it
should not is revoked by the operator: petstore keys revoke <id>.

  petstore add Rex --category 7 -e production --confirm production
  petstore env use production --for 30m                  ends by itself

What differs between two environments, once sorted:

  petstore list -e staging --all --csv --fields name,categoryId,status > staging.csv
  petstore list -e production --all --csv --fields name,categoryId,status > production.csv
  sort staging.csv > a; sort production.csv > b; comm -3 a b
`,
  output: `Output

  table    for people (the default, on a terminal and in a pipe alike)
  json     list: one array; add, get: one object; the service's own shape
  ndjson   one object per line, written as it arrives
  csv      RFC 4180 with a header line; --excel for spreadsheets

stdout carries the asked-for data and nothing else. Notices, progress and errors go to
stderr; with json, ndjson and csv they are JSON lines with a "type".
--fields id,name chooses and orders the fields, in every format. -q prints ids only.
Ids are 64-bit integers and exact. JavaScript and jq before 1.7 round large ones when they
read JSON: --string-ids prints them as strings.
A list that is not complete says so on stderr; --require-complete makes that exit code 10.
`,
  'exit-codes': `Exit codes

${listExitCodes()}`,
  deprecation: `Deprecation

The service removes GET /pets/{petId} on 5 December 2030, 00:00 UTC. petstore get keeps
working: when the service responds that the operation is gone, petstore reads the list
instead and prints the same pet. The service's response decides, never this machine's clock.

  petstore get 42 --via list     reads the list, which stays
  petstore get 42 --via get      the removed operation only; fails once it is gone

Scripts that look for many pets do better with one list:
  petstore list --all --ndjson --status available
`,
} satisfies Record<Exclude<Topic, 'options'>, string>;

function listExitCodes(): string {
  const rows = Object.entries(exitMeanings);
  return rows.map(([code, meaning]) => `  ${code.padStart(3)}  ${meaning}\n`).join('');
}
