// Checked by the compiler alone: the published types promise nothing that the sources do not keep.
import type * as source from '../../src/index.ts';
import type * as published from '../../types/index.d.ts';

type Keeps<Promised, Kept extends Promised> = [Promised, Kept];

export type Checks = [
  Keeps<typeof published.createPetstoreClient, typeof source.createPetstoreClient>,
  Keeps<typeof published.petToJson, typeof source.petToJson>,
  Keeps<published.RequestError, source.RequestError>,
];
