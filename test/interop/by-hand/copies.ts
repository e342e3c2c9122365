import { readPqKeys } from '../directory.ts';
import type { Memory } from '../memory.ts';
import type { Relay } from '../relay.ts';
import { type Envelope, type Header, seal } from '../seal.ts';
import type { SealKey } from '../seal-key.ts';
import { recipientKey } from '../sending.ts';

/** A copy for each statement, with the values of its header. */
export async function sealEach(
  relay: Relay,
  memory: Memory,
  route: { from: string; to: string },
  statements: readonly SealKey[],
  header: Omit<Header, 'suite'>,
  payload: Uint8Array,
): Promise<Envelope[]> {
  await readPqKeys(relay, memory, statements);
  return Promise.all(
    statements.map(async (statement) => ({
      toAddress: route.to,
      recipientDeviceKey: statement.key,
      ...(await seal(route, recipientKey(memory, statement, true), header, payload)),
    })),
  );
}
