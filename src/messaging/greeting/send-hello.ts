/**
 * Sends a `hello` to all devices of an address, at once: nobody sees it, and what does not arrive is said again some day.
 */
import { type HiddenSending, sendHidden } from '../sending/hidden.ts';

/** What sending one takes. */
export type HelloSending = HiddenSending;

/**
 * @param fields what it says beside the newest own list
 * @param automated whether a program says it
 * @returns whether a device of theirs has it now, as far as the relay says
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
