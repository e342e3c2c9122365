import type { ApiKeyEntitlement } from '../../../bridge/shapes.ts';
import { t } from '../../words.tsx';

/** What a key may do: a permission in the words of the app. */
export const entitlementWords: Readonly<Record<ApiKeyEntitlement, string>> = {
  'directory:read': t('settings.permissionDirectory'),
  'envelopes:send': t('settings.permissionSend'),
  'inbox:read': t('settings.permissionInbox'),
  'groups:read': t('settings.permissionGroups'),
  'groups:send': t('settings.permissionGroupsSend'),
  blobs: t('settings.permissionFiles'),
};

/** In the order in which they are offered. (The schema itself stays out of the page, whose policy forbids its compiler.) */
export const allEntitlements = Object.keys(entitlementWords) as ApiKeyEntitlement[];

/** What a new key may do unless its owner chooses: the same as at the relay. */
export const usualEntitlements: readonly ApiKeyEntitlement[] = ['directory:read', 'envelopes:send'];
