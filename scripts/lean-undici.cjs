// The parts of undici that the client uses, for the program: undici's index loads all of it, fetch and WebSocket too.

// It reads HTTP by WebAssembly, which V8 would at once compile a second time, to faster code: 60 ms of CPU time that no
// page earns back. For the program alone, as it holds for the whole process.
require('node:v8').setFlagsFromString('--liftoff-only');

exports.Agent = require('undici/lib/dispatcher/agent.js');

Object.defineProperty(exports, 'EnvHttpProxyAgent', { enumerable: true, get: loadProxyAgent });

/** Only where a proxy is set. It asks the proxy by a method that undici's index adds to each dispatcher. */
function loadProxyAgent() {
  require('undici/lib/dispatcher/dispatcher.js').prototype.connect = require('undici/lib/api/api-connect.js');
  return require('undici/lib/dispatcher/env-http-proxy-agent.js');
}
