import { expect, it } from 'vitest';
import { runPetstore } from '../../support/run-program.ts';

const forever = 'Pets cannot be changed or removed once added.';
const meant = (verb: string, path: string) => `Unknown command '${verb}'. Did you mean ${path}?`;

it.each([
  ['update 3 --name Rex', forever, undefined],
  ['delete 3', forever, undefined],
  ['remove 3', forever, undefined],
  ['login', meant('login', 'auth login'), 'petstore auth login'],
  ['login -e production', meant('login', 'auth login'), 'petstore auth login -e production'],
  ['-e production login', meant('login', 'auth login'), 'petstore -e production auth login'],
  ['new Rex --category 7', meant('new', 'add'), 'petstore add Rex --category 7'],
  ['show 3', meant('show', 'get'), 'petstore get 3'],
  ['use production', meant('use', 'env use'), 'petstore env use production'],
  ['find Mrs Whiskers', 'Pets are found by petstore list.', "petstore list --name 'Mrs Whiskers'"],
  ['env delete', "Unknown command 'delete'", 'petstore env --help'],
])('petstore %s says how it is said here', async (line, message, next) => {
  expect(await runPetstore(line.split(' '))).toEqual({
    stdout: '',
    stderr: `Error: ${message}\n${next === undefined ? '' : `Try:  ${next}\n`}`,
    exitCode: 2,
  });
});
