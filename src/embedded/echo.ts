/** @echo, a newcomer's first contact: a bot on the library for bots (src/client). */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pause } from '../base/backoff.ts';
import {
  Identity,
  MAX_TEXT_BYTES,
  type Message,
  RelayClient,
  RelayRefusal,
  RelayUnreachable,
} from '../client/index.ts';

/** The pause after a temporary failure, in milliseconds. */
const RETRY_AFTER = 5_000;

/** @echo's handle. It is reserved, so the relay has to know the bot's address. */
export const ECHO = 'echo';

/** Starts @echo. Registers it at the relay the first time. */
export async function startEcho(identity: Identity, relay: string): Promise<{ close(): Promise<void> }> {
  // It signs everything, so no unsigned messages need be allowed in its name.
  await identity.register(relay, { handle: ECHO, displayName: 'Echo', allowUnsigned: [] });
  const client = new RelayClient({ identity, relay });
  const stop = new AbortController();
  const answering = answerUntil(stop.signal, client, identity);
  return {
    async close() {
      stop.abort();
      await answering;
      client.close();
    },
  };
}

/**
 * @echo's identity, made if there is none.
 * @param folder created with mode 0700
 */
export function openEchoIdentity(folder: string): Identity {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'identity.json');
  return existsSync(file) ? Identity.open(file) : Identity.create({ file });
}

async function answerUntil(signal: AbortSignal, client: RelayClient, identity: Identity): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const message of client.messages({ signal })) await answer(message, client, identity);
    } catch {
      // Unanswered messages are still at the relay and arrive again.
      await pause(RETRY_AFTER, signal);
    }
  }
}

async function answer(message: Message, client: RelayClient, identity: Identity): Promise<void> {
  if (message.groupId !== null) return;
  try {
    await client.reply(message, answerTo(message, identity.sentTo(message.from) === 0));
  } catch (error) {
    const isTransient =
      error instanceof RelayUnreachable || (error instanceof RelayRefusal && error.status >= 500);
    if (isTransient) throw error;
    // A person without a device, or with a full inbox, gets no answer and does not delay others.
  }
}

function answerTo(message: Message, isFirst: boolean): string {
  const text = message.text ?? 'I can only repeat text.';
  if (!isFirst) return text;
  const greeting = ['Hi! I’m a test program. Your message arrived encrypted. You wrote:', '', text].join(
    '\n',
  );
  // Greeting and text together may be longer than a message.
  return Buffer.byteLength(greeting) <= MAX_TEXT_BYTES ? greeting : text;
}
