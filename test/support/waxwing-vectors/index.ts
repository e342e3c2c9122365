/**
 * The known answers of our own format, made from fixed inputs.
 */
import { blobVectors } from './blobs.ts';
import { kindVectors, replayVectors, rightsVectors } from './contents.ts';
import { deviceVectors } from './devices.ts';
import { historyVectors } from './history.ts';
import { linkV2Vectors } from './link-v2.ts';
import { linkVectors } from './links.ts';
import { logVectors } from './log.ts';
import { loginVectors } from './login.ts';
import { paddingVectors, payloadVectors } from './payloads.ts';
import { rosterVectors } from './rosters.ts';
import { sealingVectors } from './sealing.ts';

/** Content of each file below test/vectors/waxwing, by its name without `.json`. */
export function makeVectors(): Record<string, object> {
  return {
    sealing: sealingVectors(),
    padding: paddingVectors(),
    payloads: payloadVectors(),
    devices: deviceVectors(),
    history: historyVectors(),
    login: loginVectors(),
    links: linkVectors(),
    blobs: blobVectors(),
    log: logVectors(),
    'link-v2': linkV2Vectors(),
    kinds: kindVectors(),
    rights: rightsVectors(),
    replay: replayVectors(),
    rosters: rosterVectors(),
  };
}
