// Loaded as one lazy module: imported directly, a bundled CommonJS package has no names but `default`.
export { Agent, buildConnector, Pool } from 'undici';
