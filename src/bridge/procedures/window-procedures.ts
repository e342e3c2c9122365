/** Procedures of the window and its desktop, updates and settings, answered by the host. */

import { z } from 'zod';
import { longest } from '../longest.ts';
import { Settings } from '../settings.ts';
import { DesktopState, FirstLinks, OpenedLink, UpdateState } from '../shapes/app.ts';
import { KeyProtection } from '../shapes/lock-state.ts';
import { Id } from '../shapes/values.ts';
import { nothing } from './inputs.ts';

export const windowProcedures = {
  'host.info': {
    input: nothing,
    output: z.strictObject({
      kind: z.enum(['electron', 'browser']),
      version: z.string(),
      platform: z.string(),
      keyProtection: KeyProtection,
    }),
  },
  /** Restrictions by the desktop. */
  'host.desktop': { input: nothing, output: DesktopState },
  /** The conversation in front of the person; null for none, or if the window is not in use. */
  'host.attend': { input: z.strictObject({ conversationId: Id.nullable() }), output: nothing },
  /** The request of an opened `waxwing:` link, returned once: data for the person to confirm. */
  'host.receiveLink': {
    input: nothing,
    output: z.strictObject({ link: OpenedLink.nullable() }),
  },
  /** Links of first run, in the memory of the host: they survive a reload of the page and locking. */
  'host.firstLinks': { input: nothing, output: FirstLinks },
  'host.setFirstLinks': { input: FirstLinks, output: nothing },
  /** Restarts the app, so that Electron tries the key store again. Desktop only. */
  'host.restart': { input: nothing, output: nothing },
  /** Copies a text. A secret is removed from the clipboard after a minute if it is still there. Desktop only. */
  'clipboard.copy': {
    input: z.strictObject({ text: z.string().max(longest.message), isSecret: z.boolean() }),
    output: nothing,
  },
  /** Update state of the app. Desktop only. */
  'updates.state': { input: nothing, output: UpdateState },
  /** Asks the update server now, and downloads a newer version. Returns afterwards. */
  'updates.check': { input: nothing, output: UpdateState },
  'settings.get': { input: nothing, output: Settings },
  'settings.set': { input: Settings.partial(), output: Settings },
} as const;
