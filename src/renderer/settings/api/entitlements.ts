import type { ApiKeyEntitlement } from '../../../bridge/shapes.ts';

/** What a key may do, in words. */
export const entitlementWords: Readonly<Record<ApiKeyEntitlement, string>> = {
  'directory:read': 'Look people and their keys up',
  'envelopes:send': 'Send messages',
  'inbox:read': 'Fetch what is waiting for a device',
  'groups:read': 'See your groups and their members',
  'groups:send': 'Post into your groups',
};

/** In the order in which they are offered. (The schema itself stays out of the page, whose policy forbids its compiler.) */
export const allEntitlements = Object.keys(entitlementWords) as ApiKeyEntitlement[];

/** What a new key may do unless its owner chooses: the same as at the relay. */
export const usualEntitlements: readonly ApiKeyEntitlement[] = ['directory:read', 'envelopes:send'];
