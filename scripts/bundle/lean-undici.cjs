// The same as undici-parts.cjs, for the program.

// It parses HTTP by WebAssembly, which V8 would at once compile a second time, to faster code: CPU time that no page is
// worth. For the program alone, as the flag applies to the whole process.
require('node:v8').setFlagsFromString('--liftoff-only');

module.exports = require('./undici-parts.cjs');
