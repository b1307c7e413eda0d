import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Block } from './render-blocks.ts';

const root = path.resolve(import.meta.dirname, '..');
const width = 80;
const column = 8.4;
const line = 20;
const margin = 20;

/** The first terminal session of the page for store staff as a picture: a test types it at a real terminal. */
export function renderPicture(): Block {
  const text = readFileSync(path.join(root, 'docs/at-the-till.md'), 'utf8');
  const [, session] = /^```console terminal\n(.*?)\n```$/ms.exec(text) ?? [];
  if (session === undefined) throw new Error('docs/at-the-till.md has no terminal session.');
  return {
    page: 'docs/pictures/first-use.svg',
    name: 'first terminal session',
    insert: () => draw(session.split('\n')),
  };
}

function draw(lines: readonly string[]): string {
  const size = [width * column + 2 * margin, lines.length * line + 2 * margin].join(' ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}" role="img">
<title>${escapeXml(lines[0] ?? '')}</title>
<style>
  rect { fill: #1e2227 }
  text { font: 14px ui-monospace, Menlo, Consolas, monospace; fill: #dfe3e8; white-space: pre }
  .typed { fill: #7ec7e8 }
  .mark { fill: #8fce8f }
</style>
<rect width="100%" height="100%" rx="8"/>
${lines.map((text, index) => drawLine(text, margin + (index + 0.75) * line)).join('\n')}
</svg>
`;
}

/** A `✔` is green, and a line typed at the shell's prompt is blue. */
function drawLine(text: string, y: number): string {
  const [, mark = '', rest = ''] = /^(✔ |\$ )?(.*)$/.exec(text) ?? [];
  const typed = mark === '$ ' ? ' class="typed"' : '';
  return `<text x="${margin}" y="${y}"><tspan class="mark">${mark}</tspan><tspan${typed}>${escapeXml(rest)}</tspan></text>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
