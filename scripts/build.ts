import path from 'node:path';
import { bundleProgram } from './bundle.ts';

await bundleProgram(path.resolve(import.meta.dirname, '../dist'));
