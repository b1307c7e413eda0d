/** Draws docs/pictures: the built program in a real terminal, against the built service. Needs tmux and jq. */
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { renderSvg } from './pictures/render-svg.ts';
import { dropPersonal, hideChanging } from './pictures/same-everywhere.ts';
import { prompt, type Scene, scenes } from './pictures/scenes.ts';
import { openScreen, type Screen } from './pictures/screen.ts';
import { isolateEnvironment, program, startSampleService } from './sample-service.ts';

const COLUMNS = 88;
/** More than any picture has: what is empty at the end is left out. */
const ROWS = 40;

const [target = path.resolve(import.meta.dirname, '../docs/pictures')] = process.argv.slice(2);
await mkdir(target, { recursive: true });
await Promise.all(
  scenes.map(async (scene) => writeFile(path.join(target, `${scene.name}.svg`), await draw(scene))),
);

/** Each on a store of its own, so that no picture depends on the one before it. */
async function draw(scene: Scene): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-pictures-'));
  const service = await startSampleService(folder);
  try {
    await writeDelivery(folder);
    const lines = await play(scene, folder, service);
    return renderSvg(lines.map(hideChanging), COLUMNS, scene.title);
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function play(
  scene: Scene,
  folder: string,
  { url, key }: { url: string; key: string },
): Promise<string[]> {
  await installProgram(folder);
  const env = {
    ...dropPersonal(isolateEnvironment(folder)),
    PATH: `${path.join(folder, 'bin')}${path.delimiter}${process.env.PATH}`,
    LANG: 'C.UTF-8',
    // Nobody's keychain is asked, or written to. For a missing file the error differs by kernel; this one is no socket.
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/dev/null',
    ...(scene.isUnconfigured ? {} : configure(url, key)),
  };
  const screen = await openScreen({ columns: COLUMNS, rows: ROWS, env, cwd: folder });
  try {
    await setPrompt(screen);
    await scene.play(screen, { url, key });
    return dropLastPrompt(await screen.take());
  } finally {
    await screen.close();
  }
}

/** Staging and production; in the pictures they are one service under two names. */
function configure(url: string, key: string): Record<string, string> {
  return {
    PETSTORE_STAGING_URL: url,
    PETSTORE_STAGING_API_KEY: key,
    PETSTORE_PRODUCTION_URL: url.replace('127.0.0.1', 'localhost'),
    PETSTORE_PRODUCTION_API_KEY: key,
  };
}

/** The same for everybody, root included. */
async function setPrompt(screen: Screen): Promise<void> {
  await screen.type(`PS1='${prompt}'; clear; echo ready`);
  await screen.press('Enter');
  await screen.waitFor(/^ready\n\$$/);
  await screen.type('clear');
  await screen.press('Enter');
  await screen.waitFor(/^\$$/);
}

/** As the name `petstore`, like an installed one. */
async function installProgram(folder: string): Promise<void> {
  const script = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`;
  await mkdir(path.join(folder, 'bin'));
  await writeFile(path.join(folder, 'bin/petstore'), script, { mode: 0o755 });
}

async function writeDelivery(folder: string): Promise<void> {
  const names = Array.from({ length: 214 }, (_, row) => `Guppy ${row + 1},12,available`);
  await writeFile(
    path.join(folder, 'delivery.csv'),
    ['name,categoryId,status', ...names, ''].join('\n'),
  );
  const typed = [
    'Name;Category;Status',
    'Goldie;12;Available',
    'Bubbles;dog;',
    ';12;Sold',
    'Nemo;12;gone',
  ];
  await writeFile(path.join(folder, 'typed.csv'), [...typed, ''].join('\n'));
  await writeFile(path.join(folder, 'delivery.xlsx'), 'PK\u0003\u0004 [Content_Types].xml');
}

function dropLastPrompt(lines: readonly string[]): string[] {
  const plain = lines.map((line) => stripVTControlCharacters(line).trim());
  const end = plain.findLastIndex((line) => line !== '' && line !== prompt.trim());
  return lines.slice(0, end + 1);
}
