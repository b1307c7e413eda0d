import { environmentVariables } from '../../config/variables.ts';
import type { Topic } from '../../program/command.ts';

const { environment, environmentUrl, environmentKey, key, keyFile } = environmentVariables;

/** What `petstore help <topic>` prints. */
export const topics = {
  environments: `Environments

An environment is one installation of the service: a name, a URL, a key.
staging (the default) and production (protected) exist from the start, without a URL.

  petstore env set staging --url https://staging.example.com/v1
  petstore env use production        remember it for this user
  petstore list -e production        only this time
  petstore env show --explain        what is in effect, and why

Which one is used: --env, then ${environment.name}, then "env use", then staging.
Its URL: ${environmentUrl.name}, then the config file.
Its API key: ${environmentKey.name}, ${key.name}, ${keyFile.name}, then
what "petstore auth login" stored. <ENV> is the name in capitals, "-" written as "_".

A write to a protected environment is confirmed: by a prompt on a terminal, elsewhere
by naming the environment (-e or ${environment.name}) together with --confirm <name>.
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

    0  done; an empty list is success
    1  unexpected failure, or output that could not be written
    2  usage or local validation; nothing was sent
    3  refused: needs confirmation or input and may not ask
    4  no key, key rejected, keychain locked or unavailable
    5  not found
    6  request rejected by the service (400, other 4xx)
    7  service failed or too busy (5xx, 408, 429, unexpected response)
    8  could not reach the service
    9  outcome unknown: a write may or may not have happened
   10  incomplete: partial import, or --require-complete not met
  129  the terminal was closed (SIGHUP; serve reads its TLS files again instead)
  130  interrupted (143: terminated)
`,
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
