import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { workFolder } from './work-folder.ts';

const source = (name: string) => path.join(import.meta.dirname, 'native', `${name}.c`);

/** Compiles the program that runs a command and measures it. */
export function buildMeasure(): string {
  const program = path.join(workFolder, 'measure');
  execFileSync('gcc', ['-O2', '-o', program, source('measure')]);
  return program;
}

/** Compiles the library that slows every sync down. */
export function buildSlowSync(): string {
  const library = path.join(workFolder, 'slow-sync.so');
  execFileSync('gcc', ['-O2', '-shared', '-fPIC', '-o', library, source('slow-sync'), '-ldl']);
  return library;
}
