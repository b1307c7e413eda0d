import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Loads a native addon that is embedded in the program. Bun itself would leave a copy in the temporary folder; this
 * copy is private, and gone once it is loaded.
 */
export function loadAddon(embedded: string): unknown {
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-addon-'));
  try {
    const file = path.join(folder, 'addon.node');
    writeFileSync(file, readFileSync(embedded), { mode: 0o600 });
    const addon = { exports: {} };
    process.dlopen(addon, file);
    return addon.exports;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
