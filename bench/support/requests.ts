/**
 * Requests that send envelopes, as bytes.
 */
import type { Person } from '../../test/support/person.ts';

/** Characters of a nonce in base64url: 12 bytes. */
const NONCE = 'A'.repeat(16);
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Requests with fresh envelopes. A prepared one is copied and numbered: making random bytes and JSON in the measured time would
 * compete with the server for the processor. The relay cannot distinguish such an envelope from another sealed one.
 * @param batch envelopes in a request
 * @param port of the relay
 */
export function requestMaker(
  sender: Person,
  recipients: Person[],
  batch: number,
  port: number,
): () => Buffer {
  const prepared = recipients.map((_, first) => {
    const envelopes = Array.from({ length: batch }, (__, index) => {
      const to = recipients[(first + index) % recipients.length];
      if (!to) throw new Error('no recipients');
      return { ...sender.seal(to, to.device, 'a short message'), nonce: NONCE };
    });
    const body = JSON.stringify(batch === 1 ? envelopes[0] : { envelopes });
    const head = [
      'POST /api/v1/envelopes HTTP/1.1',
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer ${sender.token}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    const bytes = Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
    const places: number[] = [];
    for (let at = bytes.indexOf(`"${NONCE}"`); at >= 0; at = bytes.indexOf(`"${NONCE}"`, at + 1))
      places.push(at + 1);
    if (places.length !== batch) throw new Error('an envelope without its nonce');
    return { bytes, places };
  });
  let next = 0;
  let number = Date.now() * 1_000;
  return () => {
    const { bytes, places } = prepared[next++ % prepared.length] as (typeof prepared)[number];
    const request = Buffer.from(bytes);
    for (const place of places) writeNumber(request, place, number++);
    return request;
  };
}

/** Writes a number in base64url, its lowest digits first. */
function writeNumber(into: Buffer, place: number, number: number): void {
  let rest = number;
  for (let digit = 0; digit < NONCE.length; digit++) {
    into[place + digit] = DIGITS.charCodeAt(rest % 64);
    rest = Math.floor(rest / 64);
  }
}
