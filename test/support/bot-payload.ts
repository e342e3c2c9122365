/** Payloads that a bot signs. */
import type { PrivateKey } from '../../src/protocol/crypto.ts';
import { encodeUtf8 } from '../../src/protocol/encoding.ts';
import { GroupBody } from '../../src/protocol/payload.ts';
import { encodeFrame } from '../../src/protocol/payload-frame.ts';

/** A bot's message to its group. @throws z.ZodError if the body lacks a field */
export function encodeBotPayload(body: GroupBody, key: PrivateKey): Uint8Array {
  return encodeFrame('group', encodeUtf8(JSON.stringify(GroupBody.parse(body))), { kind: 'bot', key });
}
