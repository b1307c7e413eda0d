import { setFlagsFromString } from 'node:v8';
import connect from 'undici/lib/api/api-connect.js';
import request from 'undici/lib/api/api-request.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';

// By its parts, because undici's index also loads fetch, WebSocket and more than a short command takes. The index adds
// these functions to every dispatcher: `request` for us, `connect` for its own agents of proxies.
Object.assign(Dispatcher.prototype, { connect, request });

// Node 20 compiles undici's HTTP parser a second time, to faster code, and its end waits for that.
if (process.version.startsWith('v20.')) setFlagsFromString('--liftoff-only');

export { Agent, EnvHttpProxyAgent, Pool };
