/** A piece of a line in one style. */
interface Run {
  text: string;
  style: Style;
}

interface Style {
  color?: string;
  isBold?: boolean;
  isDim?: boolean;
}

const cell = { width: 8.43, height: 19 };
const margin = { side: 16, top: 44, bottom: 16 };
const font = 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace';
const background = '#1e2430';
const foreground = '#d5dae3';

/** The first eight colors of a terminal, as the codes 30 to 37 name them. */
const palette = [
  '#5c6370',
  '#f0717b',
  '#8cc570',
  '#e5c07b',
  '#6cb6f5',
  '#c78ae0',
  '#5fbfc7',
  foreground,
];

/** Draws lines of a terminal, with their escape sequences for colors, as a window in SVG. */
export function renderSvg(lines: readonly string[], columns: number, title: string): string {
  const width = Math.ceil(columns * cell.width + 2 * margin.side);
  const height = lines.length * cell.height + margin.top + margin.bottom;
  const buttons = ['#f0717b', '#e5c07b', '#8cc570'].map(
    (color, index) => `<circle cx="${20 + index * 20}" cy="20" r="6" fill="${color}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${escapeXml(title)}</title>
<rect width="${width}" height="${height}" rx="8" fill="${background}"/>
${buttons.join('')}
<g font-family="${font}" font-size="14" fill="${foreground}">
${lines.flatMap((line, index) => renderLine(line, margin.top + (index + 0.75) * cell.height)).join('\n')}
</g>
</svg>
`;
}

/** Words are placed at their columns and stretched to them, whatever font there is; SVG would fold blanks into one. */
function renderLine(line: string, y: number): string[] {
  let column = 0;
  return splitRuns(line).flatMap(({ text, style }) =>
    text.split(/( {2,}|^ | $)/).flatMap((words) => {
      const x = margin.side + column * cell.width;
      const length = [...words].length;
      column += length;
      if (words.trim() === '') return [];
      const place = `x="${round(x)}" y="${round(y)}" textLength="${round(length * cell.width)}"`;
      return [`<text ${place}${describe(style)}>${escapeXml(words)}</text>`];
    }),
  );
}

function describe({ color, isBold, isDim }: Style): string {
  const parts = [
    color === undefined ? '' : ` fill="${color}"`,
    isBold ? ' font-weight="bold"' : '',
    isDim ? ' opacity="0.6"' : '',
  ];
  return parts.join('');
}

/** Reads Select Graphic Rendition (ECMA-48, section 8.3.117), as far as the program and its prompts use it. */
function splitRuns(line: string): Run[] {
  const runs: Run[] = [];
  let style: Style = {};
  for (const part of line.split(/(\u001b\[[\d;]*m)/)) {
    const codes = /^\u001b\[([\d;]*)m$/.exec(part)?.[1];
    if (codes !== undefined) style = codes.split(';').map(Number).reduce(applyCode, style);
    else if (part !== '') runs.push({ text: part, style });
  }
  return runs;
}

function applyCode(style: Style, code: number): Style {
  if (code === 0) return {};
  if (code === 1) return { ...style, isBold: true };
  if (code === 2) return { ...style, isDim: true };
  if (code === 22) return { ...style, isBold: false, isDim: false };
  const { color: _, ...plain } = style;
  if (code === 39) return plain;
  const color = palette[code >= 90 ? code - 90 : code - 30];
  return color === undefined ? style : { ...plain, color };
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}
