import { mkdirSync } from 'node:fs';
import path from 'node:path';

/** Databases and binaries that outlive a run, as they take minutes to make. Never committed. */
export const workFolder = path.join(import.meta.dirname, '.work');
mkdirSync(workFolder, { recursive: true });
