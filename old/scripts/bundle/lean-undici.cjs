// The same as undici-parts.cjs, for the program.

// What undici needs of Node is loaded first (TLS by its caller, where it is needed): V8 takes cached code only under the
// flags it was compiled under, Node's own too, so what is loaded after they changed is compiled.
require('node:net');
require('node:diagnostics_channel');
require('node:querystring');

// It parses HTTP by WebAssembly, which V8 would at once compile a second time, to faster code: CPU time that no page is
// worth. And what a response leaves behind is collected often, in a young generation that never grows: page after page
// needs less memory, and no more time. For the program alone, as flags apply to the whole process.
require('node:v8').setFlagsFromString('--liftoff-only --semi-space-growth-factor=1');

module.exports = require('./undici-parts.cjs');
