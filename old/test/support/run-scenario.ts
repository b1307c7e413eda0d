import { chmod, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { createFakePrompt } from './fake-prompt.ts';
import { startHttpServer } from './http-server.ts';
import { makeFolder } from './make-folder.ts';
import { createHome, type RunOptions, runPetstore } from './run-program.ts';
import { startService } from './service.ts';
import { stagingAt } from './staging.ts';

/** A command line and the machine it is typed on. `DIR` in a line is the scenario's folder. */
export interface Scenario {
  line: string | readonly string[];
  /** Lines that were run before. */
  before?: readonly string[];
  /** Files of the folder. */
  files?: Readonly<Record<string, string>>;
  /** In place of the real service. */
  respond?: RequestListener;
  /** Without it the environment has a URL and a key. */
  isUnconfigured?: boolean;
  run?: RunOptions;
  /** What a person at a terminal gives to the prompts. */
  answers?: readonly (string | boolean)[];
  /** Modes of files of the folder, changed at last. */
  modes?: Readonly<Record<string, number>>;
}

/** Runs a scenario on a machine of its own, for people or for scripts. */
export async function runScenario(scenario: Scenario, words: readonly string[]) {
  const service = await startService({
    pets: [
      { name: 'Rex', categoryId: 7n },
      { name: 'Luna', categoryId: 3n },
    ],
  });
  onTestFinished(service.close);
  const { respond, files = {}, before = [], line } = scenario;
  const url = respond ? (await startHttpServer(respond)).url : service.url;
  const DIR = await makeFolder();
  const HOME = await createHome();
  for (const [name, text] of Object.entries(files))
    await writeFile(path.join(DIR, name), text, { mode: 0o600 });
  const fill = (text: string) =>
    text.replaceAll('DIR', DIR).replaceAll('PORT', new URL(service.url).port);
  const given = Object.entries(scenario.run?.env ?? {}).map(([name, text]) => [name, fill(text)]);
  const env = {
    HOME,
    ...(scenario.isUnconfigured ? {} : stagingAt(url, service.key)),
    ...Object.fromEntries(given),
  };
  const run = (text: string | readonly string[], more: readonly string[] = []) =>
    runPetstore([...(typeof text === 'string' ? text.split(' ') : text).map(fill), ...more], {
      ...scenario.run,
      ...(scenario.run?.stdin === 'KEY' && { stdin: service.key }),
      ...(scenario.answers && { prompt: createFakePrompt(...scenario.answers) }),
      env,
    });
  for (const one of before) await run(one);
  for (const [file, mode] of Object.entries(scenario.modes ?? {}))
    await chmod(path.join(DIR, file), mode);
  const { stderr, exitCode } = await run(line, words);
  const places = { [DIR]: '/deliveries', [HOME]: '/home/ann', [url]: 'http://127.0.0.1:8080/v1' };
  return { stderr: normalize(stderr, places), exitCode };
}

/** What differs from run to run. */
function normalize(text: string, places: Record<string, string>): string {
  return Object.entries(places)
    .reduce((result, [from, to]) => result.replaceAll(from, to), text)
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:8080')
    .replace(/--port \d+/g, '--port 8081')
    .replace(/Port \d+/g, 'Port 8080')
    .replace(/\([0-9a-f]{12}\)/g, '(6f6f6f6f6f6f)')
    .replace(/"time":"[^"]+"/g, '"time":"2026-11-20T09:30:00.000Z"')
    .replace(/ending [0-9A-Za-z]{4}/g, 'ending a1b2');
}
