// What the client uses of undici, for the program: undici's index loads all of it, fetch and WebSocket too.

// It parses HTTP by WebAssembly, which V8 would at once compile a second time, to faster code: CPU time that no page is
// worth. For the program alone, as the flag applies to the whole process.
require('node:v8').setFlagsFromString('--liftoff-only');

exports.Agent = require('undici/lib/dispatcher/agent.js');
exports.Pool = require('undici/lib/dispatcher/pool.js');
exports.buildConnector = require('undici/lib/core/connect.js');
