// What the client uses of undici: its index loads all of it, fetch and WebSocket too.

exports.Agent = require('undici/lib/dispatcher/agent.js');
exports.Pool = require('undici/lib/dispatcher/pool.js');
exports.buildConnector = require('undici/lib/core/connect.js');
