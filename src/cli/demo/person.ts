/** A person in the demonstration, and their common actions. */
import { Identity, type Message, RelayClient, RelayRefusal } from '../../client/index.ts';

export interface Person {
  name: string;
  identity: Identity;
  client: RelayClient;
  /** Their messages, as they arrive. */
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
 * The next message for a person.
 * @throws Error unless it has the sent text and this proof
 */
export async function receive({ inbox }: Person, text: string, proof: Message['proof']): Promise<Message> {
  const { value } = await inbox.next();
  if (!value) throw new Error('nothing arrived');
  if (value.text !== text || value.proof !== proof)
    throw new Error('the received message differs from the sent one');
  return value;
}

/**
 * The relay's refusal of a call, as in `403 forbidden`.
 * @throws Error if it succeeded
 */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (error instanceof RelayRefusal) return `${error.status} ${error.code}`;
    throw error;
  }
  throw new Error('the relay accepted a call that it should have refused');
}

/** For example `0x19e7e376…ff2a`. */
export function short(address: string): string {
  return `${address.slice(0, 8)}…${address.slice(-4)}`;
}
