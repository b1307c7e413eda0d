import { existsSync } from 'node:fs';
import path from 'node:path';
import { openKeyring } from '../../test/support/keyring.ts';
import { copyDatabase, startPetstore } from '../databases.ts';
import { type Desk, describeCommand, describeDesk, logIn, plainScript } from '../desk.ts';
import type { Effort } from '../load.ts';
import { type Command, type Taken, timeCommands, workFolder } from '../programs.ts';
import { compare, median, type Row } from '../report.ts';

const standalone = path.resolve(import.meta.dirname, '../../binary/out/petstore');
const body = '{"name":"Rex","categoryId":7}';

/** What is timed, and which task of gh, curl and plain Node is the same. */
const tasks: Readonly<Record<string, string>> = {
  version: 'version',
  'first list': 'list',
  list: 'list',
  'list, keyring': 'list',
  add: 'add',
};

/** What a command takes at a service on loopback, process and all. */
export async function measure({ runs }: Effort): Promise<Row[]> {
  const database = copyDatabase(1_000);
  const service = await startPetstore(database.url);
  const keyring = await openKeyring();
  try {
    const desk = describeDesk({ url: service.url, key: database.key });
    const other = { ...desk, name: 'standalone', program: [standalone] };
    const commands = [
      ...[desk, ...(existsSync(standalone) ? [other] : [])].flatMap((one) =>
        listOwn(one, { ...keyring.variables }),
      ),
      ...listOthers(desk),
    ];
    const taken = timeCommands(commands, runs);
    return Object.keys(tasks).map((task) => describeRow(task, taken));
  } finally {
    await keyring.close();
    await service.stop();
  }
}

function listOwn(desk: Desk, keyring: Record<string, string>): Command[] {
  logIn(desk, keyring);
  const list = ['list', '--json', '-e', 'staging'];
  const add = ['add', 'Rex', '--category', '7', '--json', '-e', 'staging'];
  const fresh = path.join(workFolder, 'desks', 'first');
  const first = describeCommand(desk, 'first list', list);
  return [
    describeCommand(desk, 'version', ['--version']),
    { ...first, fresh, variables: { ...first.variables, XDG_CACHE_HOME: fresh } },
    describeCommand(desk, 'list', list),
    describeCommand(desk, 'list, keyring', list, keyring),
    describeCommand(desk, 'add', add),
  ];
}

function listOthers({ url, key }: Desk): Command[] {
  const pets = `${url}/pets`;
  const node = [process.execPath, plainScript];
  const authorization = ['-H', `Authorization: Bearer ${key}`];
  const curl = ['curl', '-sSf', ...authorization];
  // gh speaks plain http to github.localhost only: the service is there as its proxy, which costs gh nothing more.
  const gh = ['gh', 'api', ...authorization, 'http://api.github.localhost/v1/pets'];
  const variables = {
    PETSTORE_API_KEY: key,
    ...{ GH_HOST: 'github.localhost', GH_TOKEN: 'bench', GH_CONFIG_DIR: workFolder },
    ...{ GH_NO_UPDATE_NOTIFIER: '1', HTTP_PROXY: new URL(url).origin },
  };
  const list = '?limit=20';
  const json = ['-H', 'Content-Type: application/json'];
  const words: Record<string, readonly string[]> = {
    'node version': [...node, 'nothing'],
    'node list': [...node, 'get', pets + list],
    'node add': [...node, 'post', pets, body],
    'gh version': ['gh', '--version'],
    'gh list': [...gh.slice(0, -1), `${gh.at(-1)}${list}`],
    'gh add': [...gh, '-f', 'name=Rex', '-F', 'categoryId=7'],
    'curl version': ['curl', '--version'],
    'curl list': [...curl, pets + list],
    'curl add': [...curl, ...json, '-d', body, pets],
  };
  return Object.entries(words).map(([name, list]) => ({ name, words: list, variables }));
}

function describeRow(task: string, taken: ReadonlyMap<string, readonly Taken[]>): Row {
  const wallsOf = (name: string) => taken.get(name)?.map(({ wall }) => wall);
  const walls = wallsOf(`petstore ${task}`) ?? [];
  const beside = (program: string, of = tasks[task]) => {
    const others = wallsOf(`${program} ${of}`);
    return others === undefined ? [] : [compare(program, walls, others)];
  };
  return {
    what: task === 'first list' ? 'first list, nothing compiled yet' : task,
    figure: median(walls),
    unit: 'ms',
    bound: beside('node')[0],
    others: [...beside('standalone', task), ...beside('gh'), ...beside('curl')],
  };
}
