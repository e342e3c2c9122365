/**
 * An echo bot. At its first start it makes an identity with an API key of its own and claims a handle. Then it answers
 * each message with a reaction and a reply, exactly once, also after a restart.
 *
 *   WAXWING_RELAY=https://relay.example WAXWING_HANDLE=my_echo node bot.mjs
 *
 * The file of the identity (WAXWING_IDENTITY, by default echo-bot.json) contains its private keys. Keep it. With
 * WAXWING_PASSPHRASE set it is sealed under that passphrase.
 */
import { existsSync } from 'node:fs';
import { Failure, Identity, RelayClient, RelayUnreachable } from 'waxwing';

// An expected failure, such as a wrong key or an unreachable relay, prints one line.
process.once('uncaughtException', (error) => {
  console.error(error instanceof Failure ? error.message : error);
  process.exit(1);
});

const {
  WAXWING_RELAY: relay,
  WAXWING_HANDLE: handle,
  WAXWING_IDENTITY: file = 'echo-bot.json',
  WAXWING_PASSPHRASE: passphrase,
} = process.env;
if (!relay || !handle) {
  console.error('Set WAXWING_RELAY, and WAXWING_HANDLE to a free handle.');
  process.exit(2);
}

const protection = passphrase ? { passphrase } : undefined;
const identity = existsSync(file) ? Identity.open(file, protection) : Identity.create({ file, protection });
// The bot signs all its messages, so no unsigned ones are allowed in its name.
await identity.register(relay, { handle, displayName: 'Echo bot', allowUnsigned: [] });

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());

const client = new RelayClient({ identity });
console.log(`@${handle} listens at ${relay}. Stop it with Ctrl+C.`);
const messages = client.messages({
  signal: stop.signal,
  onProblem: ({ message }) => console.error(message),
});
for await (const message of messages) {
  try {
    await client.react(message, ['👋']);
    await client.reply(message, message.text ?? 'I can only repeat text.');
  } catch (error) {
    // Not acknowledged: it arrives again when the bot is started again.
    if (error instanceof RelayUnreachable) throw error;
    console.error(`No answer for ${message.from}: ${error instanceof Error ? error.message : error}`);
  }
}
