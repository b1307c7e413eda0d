import { commands } from './commands/index.ts';
import { runProgram } from './program/run-program.ts';

// Node's advice to programmers would stand among the JSON lines of stderr.
process.noDeprecation = true;

// Until the command has settled: a promise that never does must not end as success.
process.exitCode = 1;

// No top-level await: the bundle is CommonJS, which loads faster.
void runProgram(commands, process).then((exitCode) => {
  process.exitCode = exitCode;
});
