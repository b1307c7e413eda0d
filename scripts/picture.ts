import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const width = 80;
const column = 8.4;
const line = 20;
const margin = 20;

/** The first terminal sessions of the page for store staff as pictures: a test types them at a real terminal. */
export function renderPictures() {
  const text = readFileSync(path.join(root, 'docs/at-the-till.md'), 'utf8');
  const sessions = Array.from(text.matchAll(/^```console terminal\n(.*?)\n```$/gms));
  return ['first-use', 'production'].map((name, index) => {
    const [, session] = sessions[index] ?? [];
    if (session === undefined) throw new Error(`docs/at-the-till.md has no session for ${name}.`);
    const page = `docs/pictures/${name}.svg`;
    return { page, name: 'terminal session', insert: () => draw(session.split('\n')) };
  });
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
  .care { fill: #e5c452; font-weight: bold }
</style>
<rect width="100%" height="100%" rx="8"/>
${lines.map((text, index) => drawLine(text, margin + (index + 0.75) * line)).join('\n')}
</svg>
`;
}

/** A `✔` is green, a line typed at the shell's prompt blue, and what names a protected store yellow. */
function drawLine(text: string, y: number): string {
  const [, mark = '', rest = ''] = /^(✔ |\$ )?(.*)$/.exec(text) ?? [];
  const isCare = /\bprotected$|\bto production \(/.test(rest);
  const looks = isCare ? ' class="care"' : '';
  const typed = mark === '$ ' ? ' class="typed"' : looks;
  return `<text x="${margin}" y="${y}"><tspan class="mark">${mark}</tspan><tspan${typed}>${escapeXml(rest)}</tspan></text>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
