import type { ApiKeyEntitlement } from '../../../bridge/shapes/developer-access.ts';
import { t } from '../../words.tsx';

/** The permissions of a key, in the app's words. */
export const entitlementWords: Readonly<Record<ApiKeyEntitlement, string>> = {
  'directory:read': t('settings.permissionDirectory'),
  'envelopes:send': t('settings.permissionSend'),
  'inbox:read': t('settings.permissionInbox'),
  'groups:read': t('settings.permissionGroups'),
  'groups:send': t('settings.permissionGroupsSend'),
  blobs: t('settings.permissionFiles'),
};

/** In the order of the form. (The schema itself is not loaded in the page, whose policy forbids its compiler.) */
export const allEntitlements = Object.keys(entitlementWords) as ApiKeyEntitlement[];

/** The default permissions of a new key: the same as at the relay. */
export const usualEntitlements: readonly ApiKeyEntitlement[] = ['directory:read', 'envelopes:send'];
