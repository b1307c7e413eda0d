import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { call } from '../support/http.ts';
import { startService } from '../support/service.ts';

const readPage = (name: string) =>
  readFile(path.resolve(import.meta.dirname, '../../docs', name), 'utf8');

it('every metric is in the table of what to watch, and every alert is about one of them', async () => {
  const service = await startService({ overrides: { metricsPort: 0 } });
  onTestFinished(service.close);
  await call(service, '/pets');
  const text = await (await fetch(service.metricsUrl ?? '')).text();
  const metrics = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
  expect(metrics.length).toBeGreaterThan(10);
  const page = await readPage('operating.md');
  const table = page.split('\n').filter((line) => line.startsWith('| '));
  const watched = table.flatMap((line) => line.match(/\b(?:petstore|process|nodejs)_\w+/g) ?? []);
  expect(metrics.filter((name) => !watched.includes(name))).toEqual([]);
  const alerts = page.slice(page.indexOf('groups:'), page.indexOf('## Log'));
  const alerted = alerts.match(/\b(?:petstore|process|nodejs)_\w+/g) ?? [];
  expect(alerted.length).toBeGreaterThan(10);
  const known = [...metrics, ...metrics.map((name) => `${name}_bucket`)];
  expect(alerted.filter((name) => !known.includes(name))).toEqual([]);
});

it('no page installs a package by a name that somebody else could publish', async () => {
  for (const name of ['../README.md', 'deployment.md', 'operating.md']) {
    const installs = (await readPage(name)).match(/npm (?:install|i|exec)\b.*|npx .*/g) ?? [];
    expect(installs.filter((line) => !line.includes('.tgz'))).toEqual([]);
  }
});
