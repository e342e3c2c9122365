/** Inputs that procedures of several areas have. */

import { z } from 'zod';
import { longest } from '../longest.ts';
import { WrittenMention } from '../shapes/message.ts';

export const nothing = z.strictObject({});
export const Passphrase = z.string().max(longest.passphrase);
export const Secret = z.string().max(longest.secret);
/** A code for a new account, if the relay requires one. */
export const Invitation = z.string().max(longest.invitation);
export const Count = z.number().int().min(0);
/** The mentions of a text, in order. */
export const Mentions = z.array(WrittenMention).max(50);
