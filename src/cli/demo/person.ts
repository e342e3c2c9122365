/**
 * Someone in the demonstration, and what all of them do.
 */
import { Identity, type Message, RelayClient, RelayRefusal } from '../../client/index.ts';

export interface Person {
  name: string;
  identity: Identity;
  client: RelayClient;
  /** What comes for them, as it comes. */
  inbox: AsyncGenerator<Message, void>;
}

/** A new identity, logged in at the relay, with a certified device, a handle and an API key. */
export async function enter(url: string, name: string, handle: string): Promise<Person> {
  const identity = Identity.create();
  await identity.register(url, { handle, displayName: name, keyName: 'demo' });
  const client = new RelayClient({ identity });
  return { name, identity, client, inbox: client.messages() };
}

/**
 * The next message that comes for someone.
 * @throws Error unless it is the text that was sent, proven like this
 */
export async function receive({ inbox }: Person, text: string, proof: Message['proof']): Promise<Message> {
  const { value } = await inbox.next();
  if (!value) throw new Error('nothing arrived');
  if (value.text !== text || value.proof !== proof) throw new Error('what arrived is not what was sent');
  return value;
}

/**
 * How the relay refused a call, as in `403 forbidden`.
 * @throws Error if it did not
 */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (error instanceof RelayRefusal) return `${error.status} ${error.code}`;
    throw error;
  }
  throw new Error('the relay took what it should have refused');
}

/** As in `0x19e7e376…ff2a`. */
export function short(address: string): string {
  return `${address.slice(0, 8)}…${address.slice(-4)}`;
}
