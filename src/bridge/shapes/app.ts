/** Settings and states of the app that are not specific to one account. */

import { z } from 'zod';
import { isPlainProxyUrl } from '../../base/proxy-address.ts';
import { FailureShape } from '../failure.ts';
import { longest, MAX_FIRST_LINKS } from '../longest.ts';
import { Address } from './values.ts';

/** A time of day by the clock of this computer: `22:30`. */
export const TimeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/);

/** Proxy for servers on other computers. Servers on this computer are always reached directly. */
export const ProxySetting = z.discriminatedUnion('kind', [
  /**
   * The system's proxy: from Electron in the desktop app, from HTTPS_PROXY and NO_PROXY in the browser host.
   */
  z.strictObject({ kind: z.literal('system') }),
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({
    kind: z.literal('address'),
    address: z.string().max(longest.proxy).refine(isPlainProxyUrl),
  }),
]);
export type ProxySetting = z.infer<typeof ProxySetting>;

/** A language in BCP 47: `en-US`. */
export const LanguageName = z.string().regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/);
/** Restrictions by the desktop, regardless of settings. */
export const DesktopState = z.strictObject({
  /** True if there is a tray, from which a closed window can be opened again. */
  hasTray: z.boolean(),
  /** True if the system has refused the last notification. */
  notificationsFail: z.boolean(),
  /** Languages with a dictionary; empty if the system or the browser checks spelling. */
  dictionaries: z.array(LanguageName).max(500),
});
export type DesktopState = z.infer<typeof DesktopState>;

/** The request of a link from outside the app. */
export const OpenedLink = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('contact'), address: Address }),
  /** `text`: an invite link, not verified yet (`invites.read`). */
  z.strictObject({ kind: z.literal('invite'), text: z.string().max(longest.invite) }),
]);
export type OpenedLink = z.infer<typeof OpenedLink>;

/** Links of first run, until each chat is opened or the person dismisses the link. */
export const FirstLinks = z.strictObject({
  /** The invite link in the field of first run. `isAgreed`: it is opened after set-up without a question. */
  entered: z.strictObject({ text: z.string().max(longest.invite), isAgreed: z.boolean() }).nullable(),
  /** Opened from outside meanwhile, in their order. */
  others: z.array(OpenedLink).max(MAX_FIRST_LINKS),
});
export type FirstLinks = z.infer<typeof FirstLinks>;

/** Progress of the app's update. */
export const UpdateState = z.strictObject({
  /**
   * `available`: a newer version, installed by the person. `ready`: downloaded, and installed at the next
   * quit. `unavailable`: this copy does not check for updates.
   */
  phase: z.enum([
    'idle',
    'checking',
    'current',
    'available',
    'downloading',
    'ready',
    'failed',
    'unavailable',
  ]),
  /** The version that is available, downloading or ready. */
  version: z.string().nullable(),
  /**
   * Date of the newest release that the update server offers, from its signed manifest, in milliseconds since 1970. With
   * `current` only.
   */
  newestFrom: z.number().nullable(),
  /** True if this copy installs updates; otherwise it only reports them. */
  installs: z.boolean(),
  /** Reason of a failure. */
  problem: FailureShape.nullable(),
});
export type UpdateState = z.infer<typeof UpdateState>;
