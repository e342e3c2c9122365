/**
 * The known answers of our own format, made from fixed inputs.
 */
import { blobVectors } from './blobs.ts';
import { botVectors } from './bots.ts';
import { formVectors } from './content-forms.ts';
import { previewVectors, receiptVectors, refVectors, registerVectors } from './content-order.ts';
import { kindVectors, replayVectors, rightsVectors } from './contents.ts';
import { controlRightsVectors } from './control-rights.ts';
import { deviceVectors } from './devices.ts';
import { gapVectors } from './gaps.ts';
import { historyVectors } from './history.ts';
import { linkV2Vectors } from './link-v2.ts';
import { logVectors } from './log.ts';
import { loginVectors } from './login.ts';
import { homeVectors, inviteVectors } from './moving.ts';
import { paddingVectors, payloadVectors } from './payloads.ts';
import { rosterVectors } from './rosters.ts';
import { sealKeyVectors } from './seal-keys.ts';
import { sealingVectors } from './sealing.ts';
import { suite2Vectors } from './suite2.ts';

/** Content of each file below docs/vectors, by its name without `.json`. */
export function makeVectors(): Record<string, object> {
  return {
    sealing: sealingVectors(),
    suite2: suite2Vectors(),
    padding: paddingVectors(),
    payloads: payloadVectors(),
    devices: deviceVectors(),
    'sealkeys-v2': sealKeyVectors(),
    history: historyVectors(),
    login: loginVectors(),
    blobs: blobVectors(),
    bots: botVectors(),
    gaps: gapVectors(),
    home: homeVectors(),
    invites: inviteVectors(),
    log: logVectors(),
    'link-v2': linkV2Vectors(),
    kinds: { ...kindVectors(), version1: formVectors() },
    refs: refVectors(),
    registers: registerVectors(),
    receipts: receiptVectors(),
    previews: previewVectors(),
    rights: { ...rightsVectors(), controls: controlRightsVectors() },
    replay: replayVectors(),
    rosters: rosterVectors(),
  };
}
