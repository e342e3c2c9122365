/**
 * Requests that send envelopes, as bytes.
 */
import { randomBytes } from 'node:crypto';
import type { Person } from '../../test/support/person.ts';

/** Requests with fresh envelopes. The relay cannot tell random bytes from sealed ones: so they need not be sealed. */
export function requestMaker(
  sender: Person,
  recipients: Person[],
  batch: number,
  port: number,
): () => Buffer {
  let next = 0;
  const envelope = () => {
    const to = recipients[next++ % recipients.length];
    const template = to && templates.get(to);
    return { ...template, nonce: randomBytes(12).toString('base64url') };
  };
  const templates = new Map(recipients.map((to) => [to, sender.seal(to, to.device, 'a short message')]));
  return () => {
    const envelopes = Array.from({ length: batch }, envelope);
    const body = JSON.stringify(batch === 1 ? envelopes[0] : { envelopes });
    const head = [
      'POST /api/v1/envelopes HTTP/1.1',
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer ${sender.token}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
  };
}
