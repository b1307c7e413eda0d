import { commands } from './commands/index.ts';
import { runProgram } from './program/run-program.ts';

// No top-level await: the bundle is CommonJS, which loads faster.
void runProgram(commands, process).then((exitCode) => {
  process.exitCode = exitCode;
});
