import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

/** Who may import whom: the table of CONTRIBUTING.md. `index`, `main`, `start` and `run` are files directly in src. */
const table: Record<string, { ours: string[]; packages: string[] }> = {
  contract: {
    ours: [],
    packages: ['valibot', '@valibot/to-json-schema', 'lossless-json', 'jsonc-parser'],
  },
  files: {
    ours: ['errors', 'shell'],
    packages: ['@photostructure/sqlite', 'valibot', 'node:fs'],
  },
  client: { ours: ['contract'], packages: ['undici', 'valibot'] },
  config: {
    ours: ['contract', 'errors', 'files', 'shell'],
    packages: ['keytar', 'jsonc-parser', 'valibot', 'node:fs', 'node:child_process'],
  },
  terminal: {
    ours: ['contract', 'errors', 'files', 'shell'],
    packages: [
      'chalk',
      'cli-table3',
      'inquirer',
      '@inquirer/core',
      'get-east-asian-width',
      'node:fs',
    ],
  },
  import: {
    ours: ['contract', 'client', 'errors', 'files'],
    packages: ['csv-parse', 'valibot', 'node:fs'],
  },
  history: {
    ours: ['contract', 'client', 'errors', 'files'],
    packages: ['valibot', 'node:fs'],
  },
  program: {
    ours: ['contract', 'client', 'config', 'terminal', 'errors', 'shell'],
    packages: ['commander', 'valibot'],
  },
  commands: {
    ours: [
      'program',
      'contract',
      'client',
      'config',
      'terminal',
      'import',
      'history',
      'errors',
      'shell',
    ],
    packages: ['commander', 'valibot'],
  },
  service: {
    ours: ['contract', 'errors', 'files'],
    packages: ['@photostructure/sqlite', 'pg', 'valibot', 'node:fs', 'tsx'],
  },
  errors: { ours: [], packages: [] },
  shell: { ours: [], packages: [] },
  version: { ours: [], packages: [] },
  index: { ours: ['contract', 'client', 'errors'], packages: [] },
  main: { ours: ['start', 'run'], packages: [] },
  start: { ours: ['commands', 'config', 'files', 'terminal'], packages: [] },
  run: { ours: ['program', 'commands', 'config', 'terminal'], packages: [] },
};

/** These verbs run the service itself; they load it only when typed. */
const loadsService = ['serve', 'keys', 'db'];

/** Node's modules that reach outside the process: held to the table like a package. All others are free. */
const guarded = ['node:fs', 'node:child_process'];

interface Import {
  file: string;
  target: string;
  isDynamic: boolean;
}

const files = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(ts|cjs|mjs)$/.test(file))
  .map((file) => file.split(path.sep).join('/'));

function readSource(file: string): string {
  return readFileSync(path.join(root, 'src', file), 'utf8');
}

function listImports(file: string, source = readSource(file)): Import[] {
  const pattern = /(?:\bfrom(?=\s)|^import|(\bimport\()|\brequire\()\s*\(?\s*'([^']+)'/gm;
  return [...source.matchAll(pattern)].map((match) => ({
    file,
    target: match[2] ?? '',
    isDynamic: match[1] !== undefined,
  }));
}

/** The folder of a file below src, or the name of a file that lies in src itself. */
function placeOf(file: string): string {
  return (file.split('/')[0] ?? '').replace(/\.(ts|cjs|mjs)$/, '');
}

function isAllowed({ file, target, isDynamic }: Import): boolean {
  const rule = table[placeOf(file)];
  if (rule === undefined) return false;
  if (!target.startsWith('.')) {
    const name = target.replace(/^((?:@[^/]+\/)?[^/]+).*/, '$1');
    if (name.startsWith('node:') && !guarded.includes(name)) return true;
    return rule.packages.includes(name);
  }
  const resolved = path.posix.join(path.posix.dirname(file), target);
  if (resolved.startsWith('../')) return file === 'version.ts';
  const place = placeOf(resolved);
  if (place === 'service' && placeOf(file) === 'commands') {
    return isDynamic && loadsService.includes(file.split('/')[1] ?? '');
  }
  return place === placeOf(file) || place === 'version' || rule.ours.includes(place);
}

describe('architecture', () => {
  it('sees the files and the imports between them', () => {
    const imports = files.flatMap((file) => listImports(file));
    expect(files).toEqual(
      expect.arrayContaining([
        'contract/pet.ts',
        'config/keys/keychain-child.cjs',
        'service/storage/sqlite/writer/writer-worker.dev.mjs',
      ]),
    );
    expect(imports).toContainEqual({
      file: 'contract/pet.ts',
      target: './int64.ts',
      isDynamic: false,
    });
    expect(imports.length).toBeGreaterThan(files.length);
  });

  it.each([
    "import { a } from '../service/app.ts';",
    "import type { A } from '../service/app.ts';",
    "export { a } from '../service/app.ts';",
    "import '../service/app.ts';",
    "const a = await import('../service/app.ts');",
    "import {\n  a,\n} from '../service/app.ts';",
    "const a = require('../service/app.ts');",
  ])('reads %j as an import', (source) => {
    expect(listImports('client/x.ts', source)).toMatchObject([{ target: '../service/app.ts' }]);
  });

  it.each(Object.keys(table))(
    'refuses every arrow from %s that the table does not draw',
    (from) => {
      const others = Object.keys(table).filter(
        (to) => to !== from && to !== 'version' && !table[from]?.ours.includes(to),
      );
      const taken = others.filter((to) =>
        isAllowed({ file: `${from}/a/x.ts`, target: `../../${to}/y.ts`, isDynamic: false }),
      );
      expect(others).not.toEqual([]);
      expect(taken).toEqual([]);
      expect(isAllowed({ file: `${from}/x.ts`, target: 'left-pad', isDynamic: false })).toBe(false);
    },
  );

  it('lets serve, keys and db alone load the service, and only when typed', () => {
    const target = '../../service/app.ts';
    const canImport = (verb: string, isDynamic: boolean) =>
      isAllowed({ file: `commands/${verb}/x.ts`, target, isDynamic });
    expect(loadsService.map((verb) => canImport(verb, true))).toEqual([true, true, true]);
    expect(loadsService.map((verb) => canImport(verb, false))).toEqual([false, false, false]);
    expect(canImport('list', true)).toBe(false);
  });

  it('knows every folder and every file of src', () => {
    const places = new Set(files.map(placeOf));
    expect([...places].sort()).toEqual(Object.keys(table).sort());
  });

  it('lets commander be known only by program and by the declarations of the groups', () => {
    const knowing = files
      .flatMap((file) => listImports(file))
      .filter(({ target }) => target === 'commander')
      .map(({ file }) => file)
      .filter((file) => !/^program\/|^commands\/[^/]+\/index\.ts$/.test(file));
    expect(knowing).toEqual([]);
  });

  it('every import follows the table', () => {
    const broken = files.flatMap((file) => listImports(file)).filter((one) => !isAllowed(one));
    expect(broken).toEqual([]);
  });

  it.each([
    {
      rule: 'only terminal touches the output streams',
      pattern: /process\.(stdout|stderr)|console\./,
      may: ['terminal'],
    },
    {
      rule: 'only start, run and the child process of the keychain set the exit code',
      pattern: /process\.exit(Code)?\b/,
      may: ['start', 'run', 'config/keys/keychain-child.cjs'],
    },
    {
      rule: 'only config, start, run and the service settings read the environment',
      pattern: /process\.env\b/,
      may: ['config', 'start', 'run', 'service'],
    },
  ])('$rule', ({ pattern, may }) => {
    const broken = files.filter(
      (file) =>
        !may.includes(placeOf(file)) && !may.includes(file) && pattern.test(readSource(file)),
    );
    expect(broken).toEqual([]);
  });
});
