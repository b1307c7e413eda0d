import { transform } from 'esbuild';

const importStatement =
  /^import\s?(?:([\w$]+),?\s?)?(?:\*as ([\w$]+)\s)?(?:\{([^}]*)\})?(?:from)?("[^"]+");/;
const exportStatement = /export\{([^}]*)\};\s*$/;
const dynamicImport = /\bimport\(("(?:\.\/[\w./-]+\.cjs|node:\w+)")\)/g;

/**
 * Makes CommonJS of a chunk that esbuild wrote as an ES module, in its form without white space. esbuild can do that, too,
 * but copies its helpers into each chunk, and calls a function wherever a chunk uses what another one exports. It still
 * links Node's own modules, some of which are not to be loaded before they are used.
 * @param isShortened whether variables get short names, which load faster.
 * @throws on a form of import that esbuild writes nowhere today.
 */
export async function toCommonJs(module: string, isShortened: boolean): Promise<string> {
  const linked = linkChunks(module);
  const { code } = await transform(linked, {
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'importMeta.url' },
    minifySyntax: true,
    minifyWhitespace: true,
    minifyIdentifiers: isShortened,
  });
  return code.includes('importMeta') ? `${importMeta}${code}` : code;
}

const importMeta =
  "const importMeta={get url(){return require('node:url').pathToFileURL(__filename).href}};";

/**
 * Chunks never import each other in a circle, and what they export does not change once they have run, so each gets what
 * the others export once, when it starts.
 */
function linkChunks(module: string): string {
  let rest = module;
  let head = '';
  for (let found = importStatement.exec(rest); found; found = importStatement.exec(rest)) {
    const [statement, byDefault, all, named, name = ''] = found;
    const whole = byDefault ?? all;
    if ([byDefault, all, named].filter((form) => form !== undefined).length > 1) refuse(statement);
    if (whole !== undefined) head += `const ${whole}=require(${name});`;
    else if (!name.startsWith('"./')) head += statement;
    else if (named === undefined) head += `require(${name});`;
    else head += `const{${named.replaceAll(' as ', ':')}}=require(${name});`;
    rest = rest.slice(statement.length);
  }
  const [missed] = /\b(?:from|import)"\.\/[^"]*"/.exec(rest) ?? [];
  if (missed !== undefined) refuse(missed);
  const body = rest
    .replace(exportStatement, (_, names) => `module.exports={${describeExports(names)}};`)
    .replaceAll(dynamicImport, 'Promise.resolve().then(()=>require($1))');
  return head + body;
}

function refuse(statement: string): never {
  throw new Error(`The bundler has no rule for ${statement}`);
}

function describeExports(names: string): string {
  return names
    .split(',')
    .map((name) => name.split(' as '))
    .map(([local, exported]) => (exported === undefined ? local : `${exported}:${local}`))
    .join(',');
}
