import { expect, it } from 'vitest';
import { toCommonJs } from '../../../scripts/bundle/to-common-js.ts';

const link = (module: string) => toCommonJs(module, false);

it.each([
  ['import{a,b as c}from"./x.cjs";f(a,c);', 'const{a,b:c}=require("./x.cjs");f(a,c);'],
  ['import"./x.cjs";f();', 'require("./x.cjs"),f();'],
  ['import*as a from"node:fs";f(a);', 'const a=require("node:fs");f(a);'],
  ['import a from"node:path";f(a);', 'const a=require("node:path");f(a);'],
  ['var a=f(),b=a;export{a,b as default};', 'var a=f(),b=a;module.exports={a,default:b};'],
  ['f(()=>import("node:tls"));', 'f(()=>Promise.resolve().then(()=>require("node:tls")));'],
  ['f(()=>import("./x.cjs"));', 'f(()=>Promise.resolve().then(()=>require("./x.cjs")));'],
])('%s', async (module, expected) => {
  expect(await link(module)).toBe(`${expected}\n`);
});

it("of Node's own modules it gets nothing before it uses it", async () => {
  const module = 'import{randomUUID as id}from"node:crypto";var a=()=>id();export{a};';
  expect(await link(module)).toBe(
    'var import_node_crypto=require("node:crypto"),a=()=>(0,import_node_crypto.randomUUID)();module.exports={a};\n',
  );
});

it.each([
  'import a,*as b from"node:fs";f(a,b);',
  'import a,{b}from"./x.cjs";f(a,b);',
  '"use strict";import{a}from"./x.cjs";f(a);',
  'f();import"./x.cjs";',
])('what it has no rule for is refused: %s', async (module) => {
  await expect(link(module)).rejects.toThrow('The bundler has no rule for');
});
