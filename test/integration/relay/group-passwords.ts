import type { Person } from '../../support/person.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import type { TestRelay } from '../../support/relay.ts';
import { quickPassword } from '../../support/relay-rosters.ts';

export const LIMITS = { rates: ROOMY_RATES };

/** An attempt to join, from some network. */
export async function guess(
  relay: TestRelay,
  id: string,
  { token }: Person,
  password: string,
  network = '192.0.2.1',
) {
  const response = await fetch(`${relay.url}/api/v1/groups/${id}/admission`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-forwarded-for': network,
    },
    body: JSON.stringify({ password: quickPassword(password).passwordProof }),
  });
  const { code } = (await response.json()) as { code?: string };
  return { status: response.status, code };
}
