// The reference page's files, which lie inside the program: src/service/routes/docs-assets.ts finds them on the disk.

import style from '../node_modules/swagger-ui-dist/swagger-ui.css' with { type: 'text' };
import script from '../node_modules/swagger-ui-dist/swagger-ui-bundle.js' with { type: 'text' };

export const docsAssets = [
  { name: 'swagger-ui.css', type: 'text/css; charset=utf-8', text: style },
  { name: 'swagger-ui-bundle.js', type: 'text/javascript; charset=utf-8', text: script },
];

export async function readDocsAsset(name) {
  return Buffer.from(docsAssets.find((asset) => asset.name === name).text);
}
