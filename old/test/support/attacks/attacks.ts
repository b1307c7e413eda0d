import { setTimeout as pause } from 'node:timers/promises';
import type { Attack } from './attack.ts';
import { badKeys } from './bad-keys.ts';
import { lostDatabase } from './lost-database.ts';
import { partedAdds } from './parted-adds.ts';
import { pipelinedFloods } from './pipelined-floods.ts';
import { refusedFloods } from './refused-floods.ts';
import { silentConnections } from './silent-connections.ts';
import { slowClients } from './slow-clients.ts';
import { stopping } from './stopping.ts';
import { unwantedBodies } from './unwanted-bodies.ts';

/** No attack: what the machine itself does to the figures. */
const nothing: Attack = {
  name: 'nothing, for comparison',
  database: 'sqlite',
  inSuite: false,
  async run() {
    await pause(2_000);
    return { seen: '', broken: [] };
  },
};

/** Every attack the service must withstand. */
export const attacks: readonly Attack[] = [
  nothing,
  ...pipelinedFloods,
  ...partedAdds,
  ...slowClients,
  ...silentConnections,
  ...badKeys,
  ...unwantedBodies,
  ...lostDatabase,
  ...refusedFloods,
  ...stopping,
];
