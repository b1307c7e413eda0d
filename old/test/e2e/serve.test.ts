import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { runBuilt, serviceCommand } from '../support/built-program.ts';
import { makeFolder } from '../support/make-folder.ts';
import { waitFor } from '../support/wait-for.ts';

it('serve --seed says what to type in a second terminal, and that is enough to list and to read the reference page', async () => {
  const folder = await makeFolder();
  const [file = '', ...words] = serviceCommand;
  const child = spawn(file, [...words, 'serve', '--port', '0', '--seed'], {
    env: { PATH: process.env.PATH, XDG_DATA_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: string[] = [];
  child.stderr.on('data', (chunk) => said.push(String(chunk)));
  try {
    const lines = await waitFor(() => {
      const [, ...rest] = said.join('').split('In a second terminal:\n');
      if (!rest.join('').includes('petstore list\n')) throw new Error(said.join(''));
      return rest.join('').split('\n');
    });
    const exported = lines.flatMap((line) => /^ {2}export (\w+)=(\S+)$/.exec(line)?.slice(1) ?? []);
    expect(exported.filter((_, index) => index % 2 === 0)).toEqual([
      'PETSTORE_STAGING_URL',
      'PETSTORE_STAGING_API_KEY',
    ]);
    const [, url = '', , key = ''] = exported;
    const { stdout, exitCode } = await runBuilt('list -q --limit 3', {
      env: { HOME: folder, PETSTORE_STAGING_URL: url, PETSTORE_STAGING_API_KEY: key },
    });
    expect({ stdout, exitCode }).toEqual({ stdout: '1\n2\n3\n', exitCode: 0 });
    for (const asset of ['swagger-ui.css', 'swagger-ui-bundle.js', 'start.js']) {
      const response = await fetch(new URL(`/docs/${asset}`, url));
      expect({ asset, status: response.status }).toEqual({ asset, status: 200 });
      expect((await response.text()).length).toBeGreaterThan(50);
    }
  } finally {
    child.kill('SIGTERM');
  }
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
});
