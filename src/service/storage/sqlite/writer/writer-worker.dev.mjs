// Starts the writer thread from its TypeScript source, which Node 20 cannot load in a thread by itself.
// Only where the program runs from sources (tests, tsx): 140 ms. The built program has writer-worker.js instead.
import { register } from 'tsx/esm/api';

register();
await import('./writer-worker.ts');
