/**
 * Reads a relay's answer to one envelope, also a refusal.
 */
import type { Person } from './person.ts';
import type { TestRelay } from './relay.ts';

/** The answer to an envelope. */
export interface SendAnswer {
  status: number;
  id: string | undefined;
  retryAfter: string | null;
}

/** Posts an envelope. Returns the status, its id, and the seconds to wait before a retry. */
export async function sendEnvelope(relay: TestRelay, from: Person, body: object): Promise<SendAnswer> {
  const response = await relay.fetch('/api/v1/envelopes', { method: 'POST', token: from.token, body });
  const { id } = (await response.json()) as { id?: string };
  return { status: response.status, id, retryAfter: response.headers.get('retry-after') };
}
