/**
 * Sends a `hello` to all devices of an address at once. It is hidden, and a lost one is repeated some day.
 */
import { type HiddenSending, sendHidden } from '../sending/hidden.ts';

/** Parts for sending a hello. */
export type HelloSending = HiddenSending;

/**
 * @param fields beside the newest own list
 * @param automated whether a program sends it
 * @returns whether one of their devices has it now, according to the relay
 * @throws UnverifiableError, RelayRefusal, RelayUnreachable
 */
export function sendHello(
  sending: HelloSending,
  address: string,
  fields: Readonly<Record<string, unknown>>,
  automated: boolean,
): Promise<boolean> {
  return sendHidden(sending, address, { ...fields, kind: 'hello' }, { automated });
}
