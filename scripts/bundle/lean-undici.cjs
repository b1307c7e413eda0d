// What the client uses of undici, for the program: undici's index loads all of it, fetch and WebSocket too.

// It reads HTTP by WebAssembly, which V8 would at once compile a second time, to faster code: 60 ms of CPU time that no
// page earns back. For the program alone, as it holds for the whole process.
require('node:v8').setFlagsFromString('--liftoff-only');

exports.Agent = require('undici/lib/dispatcher/agent.js');
