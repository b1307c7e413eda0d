// As lean-undici.cjs, where a proxy is set.

// By this undici asks the proxy; its index adds it to every dispatcher.
require('undici/lib/dispatcher/dispatcher.js').prototype.connect = require('undici/lib/api/api-connect.js');

exports.EnvHttpProxyAgent = require('undici/lib/dispatcher/env-http-proxy-agent.js');
