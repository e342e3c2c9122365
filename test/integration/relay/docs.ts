import { expect } from 'vitest';
import type { ApiKeyEntitlement } from '../../../src/protocol/credentials.ts';
import { decodeBase64Url } from '../../../src/protocol/encoding.ts';
import { openCopy } from '../../../src/protocol/envelope.ts';
import { decodePayload, type UnverifiedPayload } from '../../../src/protocol/payload.ts';
import type { InboxEnvelope } from '../../../src/protocol/schemas/inbox.ts';
import type { Person } from '../../support/person.ts';
import type { TestRelay } from '../../support/relay.ts';

/** The source in the block of the page with this caption. @throws Error without such a block */
export function blockIn(page: string, caption: string): string {
  const start = page.indexOf(`<figcaption>${caption}</figcaption>`);
  const [, inner] = /<code class="\w+">(.*?)<\/code>/s.exec(page.slice(start)) ?? [];
  if (start < 0 || inner === undefined) throw new Error(`the page has no block called ${caption}`);
  return inner
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

/** Creates an API key. @returns its secret */
export async function newApiKey(
  relay: TestRelay,
  person: Person,
  entitlements?: ApiKeyEntitlement[],
): Promise<string> {
  await relay.call('putDeveloperAccess', { token: person.token, body: { enabled: true } });
  const { body } = await relay.call('createApiKey', {
    token: person.token,
    body: { name: 'docs', ...(entitlements && { entitlements }) },
  });
  return body.secret;
}

/** Opens a person's received envelopes with our own code. */
export function open(person: Person, envelope: InboxEnvelope): UnverifiedPayload {
  const copy = {
    ciphertext: decodeBase64Url(envelope.ciphertext),
    ephemeralPublicKey: decodeBase64Url(envelope.ephemeralPublicKey),
    nonce: decodeBase64Url(envelope.nonce),
  };
  const route = { from: envelope.from, to: envelope.toAddress };
  const { header, payload } = openCopy(route, person.device.sealing, copy, false);
  expect(header.automated).toBe(true);
  return decodePayload(payload);
}
