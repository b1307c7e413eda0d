// Apart from undici.ts, as few have a proxy.
export { EnvHttpProxyAgent } from 'undici';
