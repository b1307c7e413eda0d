// Starts the writer thread from its TypeScript source, which Node 20 cannot load in a thread by itself. Used only where
// the program runs from its sources (tests, tsx): the built program has writer-worker.cjs instead.
import { register } from 'tsx/esm/api';

register();
await import('./writer-worker.ts');
