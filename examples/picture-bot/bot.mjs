/**
 * A bot that answers a picture: it downloads it, verifies its type by the first bytes, and sends it back with its size
 * and type. It answers other messages with a text. It answers exactly once, also after a restart.
 *
 *   WAXWING_RELAY=https://relay.example WAXWING_HANDLE=my_mirror node bot.mjs
 *
 * The file of the identity (WAXWING_IDENTITY, by default picture-bot.json) has its private keys. Keep it. With
 * WAXWING_PASSPHRASE set it is sealed under that passphrase.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure, Identity, mediaTypeOf, RelayClient, RelayRefusal, RelayUnreachable } from 'waxwing';

// An expected failure, such as a wrong key or an unreachable relay, prints one line.
process.once('uncaughtException', (error) => {
  console.error(error instanceof Failure ? error.message : error);
  process.exit(1);
});

const {
  WAXWING_RELAY: relay,
  WAXWING_HANDLE: handle,
  WAXWING_IDENTITY: file = 'picture-bot.json',
  WAXWING_PASSPHRASE: passphrase,
} = process.env;
if (!relay || !handle) {
  console.error('Set WAXWING_RELAY, and WAXWING_HANDLE to a free handle.');
  process.exit(2);
}
/** Larger pictures are not downloaded, in bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

const protection = passphrase ? { passphrase } : undefined;
const identity = existsSync(file) ? Identity.open(file, protection) : Identity.create({ file, protection });
await identity.register(relay, { handle, displayName: 'Picture bot', allowUnsigned: [] });

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());

const client = new RelayClient({ identity });
console.log(`@${handle} listens at ${relay}. Stop it with Ctrl+C.`);
const messages = client.messages({
  signal: stop.signal,
  onProblem: ({ message }) => console.error(message),
});
for await (const message of messages) {
  if (message.automated) continue;
  const picture = message.files.find(({ type }) => type === 'image');
  try {
    if (!picture) await client.reply(message, 'Send me a picture.');
    else if (picture.size > MAX_BYTES) await client.reply(message, 'This picture is too large for me.');
    else await sendBack(message, picture);
  } catch (error) {
    // Not acknowledged: it arrives again when the bot is started again.
    if (error instanceof RelayUnreachable) throw error;
    if (error instanceof RelayRefusal && error.temporary) throw error;
    console.error(`No answer for ${message.from}: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * @param {import('waxwing').Message} message
 * @param {import('waxwing').MessageFile} picture
 */
async function sendBack(message, { reference, name, size, alt }) {
  const folder = await mkdtemp(join(tmpdir(), 'picture-bot-'));
  try {
    const path = join(folder, 'picture');
    await client.fetchFile(reference, path);
    const mediaType = await typeOf(path);
    if (!mediaType.startsWith('image/')) await client.reply(message, 'This is no picture.');
    else {
      const caption = `${size} bytes of ${mediaType}`;
      await client.replyWithFile(message, path, { name, mediaType, caption, alt: alt ?? '' });
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * The type by the first bytes: the one in the message is its sender's claim.
 * @param {string} path
 */
async function typeOf(path) {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(16), 0, 16, 0);
    return mediaTypeOf(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}
