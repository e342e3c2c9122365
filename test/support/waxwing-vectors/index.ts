/**
 * The known answers of our own format, made from fixed inputs with either backend.
 */
import type { CryptoBackend } from '../../../src/protocol/crypto/backend.ts';
import { kindVectors, replayVectors, rightsVectors } from './contents.ts';
import { deviceVectors } from './devices.ts';
import { historyVectors } from './history.ts';
import { linkVectors } from './links.ts';
import { loginVectors } from './login.ts';
import { paddingVectors, payloadVectors } from './payloads.ts';
import { sealingVectors } from './sealing.ts';

/** Content of each file below test/vectors/waxwing, by its name without `.json`. */
export function makeVectors(backend: CryptoBackend): Record<string, object> {
  return {
    sealing: sealingVectors(backend),
    padding: paddingVectors(),
    payloads: payloadVectors(backend),
    devices: deviceVectors(backend),
    history: historyVectors(backend),
    login: loginVectors(),
    links: linkVectors(backend),
    kinds: kindVectors(backend),
    rights: rightsVectors(),
    replay: replayVectors(),
  };
}
