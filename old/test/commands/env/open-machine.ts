import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createHome, type RunOptions, runPetstore } from '../../support/run-program.ts';

/** A machine that remembers between runs. */
export async function openMachine(config?: unknown) {
  const home = await createHome();
  const configFile = path.join(home, '.config', 'petstore', 'config.json');
  if (config !== undefined) {
    await mkdir(path.dirname(configFile), { recursive: true });
    await writeFile(configFile, typeof config === 'string' ? config : JSON.stringify(config));
  }
  return {
    configFile,
    readConfig: async () => JSON.parse(await readFile(configFile, 'utf8')),
    run: (line: string, options: RunOptions = {}) =>
      runPetstore(line.split(' '), { ...options, env: { HOME: home, ...options.env } }),
  };
}

export const bothSet = {
  environment: 'production',
  environments: {
    staging: { url: 'https://staging.acme.test/v1' },
    production: { url: 'https://pets.acme.test/v1' },
  },
};
