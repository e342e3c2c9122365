/**
 * Links: a new computer announces that it waits, and gets the offer of an old one (docs/protocol.md, 'Linking a
 * device'). Nothing here is secret, and neither side trusts it.
 */
import { decodeBase64Url, encodeTime } from '../../protocol/encoding.ts';
import { ENDPOINTS } from '../../protocol/endpoints.ts';
import { isDeviceOfCode, LINK_LIFE } from '../../protocol/linking/offer.ts';
import type { RelayContext } from '../context.ts';
import { NetworkLimit } from '../http/network-limit.ts';
import { ProblemError } from '../problems/problem-error.ts';
import type { AddEndpoint } from './endpoint.ts';

export function addLinkRoutes(add: AddEndpoint, context: RelayContext): void {
  const { store, clock, limits, counters } = context;
  const turns = new NetworkLimit(counters, 'link', limits.rates.link);

  const requireTurn = async (network: string) => {
    const wait = await turns.tryConsume(network);
    if (wait > 0) throw new ProblemError('rate_limited', 'links', {}, { retryAfter: wait });
  };

  add(ENDPOINTS.putNewDevice, async ({ params, body, network }) => {
    const { key, name } = body;
    if (!isDeviceOfCode(decodeBase64Url(params.deviceId), body)) {
      throw new ProblemError('invalid_request', 'key_of_other_device');
    }
    await requireTurn(network);
    const now = clock();
    const outcome = await store.saveLink({ id: params.deviceId, key, name, expiresAt: now + LINK_LIFE }, now);
    if (outcome.status === 'conflict') throw new ProblemError('link_conflict', 'device');
    return { body: { key, name, expiresAt: encodeTime(outcome.expiresAt) } };
  });

  add(ENDPOINTS.getNewDevice, async ({ params }) => {
    const link = await store.findLink(params.deviceId, clock());
    if (!link) throw new ProblemError('not_found', 'link');
    const { key, name, expiresAt } = link;
    return { body: { key, name, expiresAt: encodeTime(expiresAt) } };
  });

  add(ENDPOINTS.putLinkOffer, async ({ credential, params, body }) => {
    if (body.address !== credential.address) {
      throw new ProblemError('invalid_request', 'offer_of_other_address');
    }
    const outcome = await store.saveOffer(params.deviceId, body, clock());
    if (outcome === 'gone') throw new ProblemError('not_found', 'link');
    if (outcome === 'conflict') throw new ProblemError('link_conflict', 'offer');
    return { body };
  });

  add(ENDPOINTS.getLinkOffer, async ({ params }) => {
    const link = await store.findLink(params.deviceId, clock());
    if (!link?.offer) throw new ProblemError('not_found', 'link_offer');
    return { body: link.offer };
  });
}
