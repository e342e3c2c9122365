/**
 * Programs on the library for bots, and their received messages.
 */

import type { CreateOptions, RegisterOptions } from '../../src/client/identity/identity.ts';
import { Identity, type Message, type ReceiveOptions, RelayClient } from '../../src/client/index.ts';

export interface Bot {
  identity: Identity;
  client: RelayClient;
}

/** A registered identity with its client. In memory unless a file is given. */
export async function newBot(
  relay: { url: string },
  options: CreateOptions & RegisterOptions = {},
): Promise<Bot> {
  const identity = Identity.create(options);
  await identity.register(relay.url, options);
  return { identity, client: new RelayClient({ identity }) };
}

/** Returns and acknowledges all messages that wait for a bot. */
export async function waiting({ client }: Bot, options: ReceiveOptions = {}): Promise<Message[]> {
  const messages: Message[] = [];
  for await (const message of client.messages({ follow: false, ...options })) messages.push(message);
  return messages;
}

/** The texts of all messages that wait for a bot. */
export async function waitingTexts(bot: Bot): Promise<(string | null)[]> {
  return (await waiting(bot)).map(({ text }) => text);
}
