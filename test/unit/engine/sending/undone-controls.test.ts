/** Own controls that could not be sent. */
import { expect, test } from 'vitest';
import { queueControl } from '../../../../src/engine/sending/queue-control.ts';
import { undoControl } from '../../../../src/engine/sending/stored-body.ts';
import { encodeBase64Url } from '../../../../src/protocol/encoding.ts';
import { openDevice } from '../../../support/cached-device.ts';
import { groupOf, WRITTEN } from '../../../support/full-chat.ts';

test('a device that requests a refused picture of a group does not get it', () => {
  const { people, chain } = groupOf(2);
  const own = people[0]?.address ?? '';
  const device = openDevice(own, chain, () => WRITTEN);
  try {
    const { conversations, faces, outbox, sentControls, transaction } = device.context;
    const conversation = conversations.get(device.conversationId);
    if (!conversation) throw new Error('no chat');
    const bytes = encodeBase64Url(new Uint8Array(32).fill(1));
    const file = { key: bytes, digest: bytes, size: 5_000, mediaType: 'image/webp', name: 'picture.webp' };
    transaction(() => queueControl(device.context, own, conversation, { kind: 'picture', file }, null));
    const [entry] = outbox.heads(device.context.identity.relayUrl());
    if (!entry?.controlId) throw new Error('nothing queued');
    const seq = sentControls.get(entry.controlId)?.body.seq ?? 0;
    expect(faces.get(chain.groupId)).not.toBeNull();
    expect(sentControls.bySeq(conversation.id, seq)).not.toBeNull();
    transaction(() => undoControl(device.context, entry, { code: 'disk_full', parameters: {} }));
    expect(faces.get(chain.groupId)).toBeNull();
    expect(sentControls.bySeq(conversation.id, seq)).toBeNull();
  } finally {
    device.close();
  }
});
