// The same as undici-parts.cjs, for a machine with a proxy.

// undici connects through a proxy by this method, which its index adds to every dispatcher.
require('undici/lib/dispatcher/dispatcher.js').prototype.connect = require('undici/lib/api/api-connect.js');

exports.EnvHttpProxyAgent = require('undici/lib/dispatcher/env-http-proxy-agent.js');
