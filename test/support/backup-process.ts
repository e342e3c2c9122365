/**
 * A cache with backups in its own process, which kills itself at a step. Arguments: the command, the folder and the
 * key of the cache in hex, the path of the backup or of the folder for it, and the number of the step, or 0. Prints
 * the number of steps, or the result.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openCache } from '../../src/engine/cache/database.ts';
import { createContext } from '../../src/engine/context.ts';
import { SealingPool } from '../../src/engine/sealing/pool.ts';
import type { MessageBody } from '../../src/messaging/sending/outgoing.ts';
import { encodeBase64Url, encodeTime } from '../../src/protocol/encoding.ts';
import { backUp, putFiles } from './backups.ts';
import { idOf } from './cached-device.ts';
import { ann, ben, LATER, seenIn } from './history.ts';

const [what, folder = '', key = '', path = '', killAt = '0'] = process.argv.slice(2);
const SECRETS = { passphrase: null, walletKey: new Uint8Array(32).fill(7) };
const [MESSAGES, FILES, PIECE] = [600, 4, 40_000];

let steps = 0;
const step = () => {
  steps += 1;
  if (steps === Number(killAt)) process.kill(process.pid, 'SIGKILL');
};
const db = openCache(folder, Buffer.from(key, 'hex'));
const onEvent = what === 'restore' ? () => undefined : step;
const context = createContext(db, new SealingPool(new URL('file:///')), onEvent, {
  now: () => LATER,
  random: () => 0,
});
const device = { own: ann.address, folder, db, context, close: () => db.close() };
await using backed = backUp(device);

function fill(): void {
  const contact = context.contacts.ensure(ben.address, LATER);
  const { id: conversationId } = context.conversations.ensure(contact.id, 'accepted', LATER);
  for (let number = 1; number <= MESSAGES; number++) {
    const at = LATER - (MESSAGES - number) * 60_000;
    const uid = idOf(number);
    const frame = { id: uid, sender: ben.address, peer: ann.address, sentAt: encodeTime(at), seq: number };
    const file = {
      key: idOf32(number),
      digest: idOf32(-number),
      size: 100,
      mediaType: 'image/png',
      name: 'a.png',
    };
    const content =
      number <= FILES ? { kind: 'attachment', files: [file] } : { kind: 'text', text: 'a text '.repeat(100) };
    context.transaction(() => {
      const id = context.messages.insert({
        ...{
          conversationId,
          sender: ben.address,
          uid: Buffer.from(uid, 'base64url'),
          body: { ...frame, ...content } as MessageBody,
        },
        ...{ sentAt: at, storedAt: at, state: 'received', trust: 'verified', digest: uid },
      });
      if (number <= FILES) context.files.add({ id, conversationId }, [file]);
      context.conversations.messageAdded(conversationId, id, 1, at);
    });
  }
  putFiles(device, () => randomBytes(PIECE));
}

const idOf32 = (number: number) => encodeBase64Url(createHash('sha256').update(`${number}`).digest());

/** Steps of a restore are those of its content: the number of events depends on the speed of the computer. */
function stepInRestore(): void {
  const { backupRows, files, messages } = context;
  const insert = messages.insert.bind(messages);
  let inserted = 0;
  messages.insert = (message) => {
    inserted += 1;
    if (inserted % 10 === 0) step();
    return insert(message);
  };
  const setRestored = backupRows.setRestored.bind(backupRows);
  backupRows.setRestored = (progress) => {
    setRestored(progress);
    step();
  };
  const setDownloaded = files.setDownloaded.bind(files);
  files.setDownloaded = (...file) => {
    step();
    setDownloaded(...file);
  };
}

/** A digest of all visible content, with the bytes of files. */
function digest(): string {
  const hash = createHash('sha256').update(JSON.stringify(seenIn(context)));
  const files = join(folder, 'files');
  mkdirSync(files, { recursive: true });
  const contents = readdirSync(files).map((name) =>
    createHash('sha256')
      .update(readFileSync(join(files, name)))
      .digest('hex'),
  );
  return hash.update(contents.toSorted().join()).digest('hex');
}

if (what === 'create' || what === 'fill')
  context.identity.replacePending({
    address: ann.address,
    walletKey: null,
    phrase: null,
    deviceSeed: new Uint8Array(32).fill(1),
    relayUrl: null,
  });
if (what === 'fill') fill();
if (what === 'make') await backed.backups.make(path, SECRETS);
if (what === 'folder') await backed.backups.setFolder(path, SECRETS);
if (what === 'automatic') {
  await backed.backups.makeInFolder();
  const problem = backed.backups.state.folder?.problem;
  if (problem) throw new Error(problem.code);
}
if (what === 'restore') {
  stepInRestore();
  if (context.backupRows.restore()) await backed.backups.resume();
  else await backed.backups.restore(path, SECRETS);
}
writeFileSync(
  1,
  `${JSON.stringify({ steps, digest: digest(), isOpen: backed.backups.state.isRestoreOpen })}\n`,
);
