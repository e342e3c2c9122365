/**
 * A thread that seals copies of a payload, as those of the sealing pool do, with ephemeral keys that are made before. It posts `ready`
 * when they are, begins at the first message, and posts `ended` after the last copy.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { generateX25519, randomBytes } from '../../src/protocol/crypto.ts';
import { newRandomness, sealCopy } from '../../src/protocol/envelope.ts';

const { route, header, copies, payloadBytes } = workerData;
const { publicKey } = generateX25519();
const payload = randomBytes(payloadBytes);
const seal = (count: number) => {
  const prepared = Array.from({ length: count }, newRandomness);
  return () => {
    for (const randomness of prepared) sealCopy(route, publicKey, header, payload, randomness);
  };
};

seal(Math.ceil(copies / 10))(); // Compiles the code.
const sealAll = seal(copies);
parentPort?.once('message', () => {
  sealAll();
  parentPort?.postMessage('ended');
});
parentPort?.postMessage('ready');
