import { fromBase64url } from './bytes.ts';
import { idOfKey, type SigningKey, signingKey } from './keys.ts';
import { isSignedUnder, type Payload } from './payload.ts';
import { must } from './refusal.ts';

/** A bot as the chain of a group names it (section 11, 'Bots'). */
export interface Bot {
  key: string;
  name: string;
}

/** The key of a bot's secret, `wxb_` and 43 characters. */
export function botKey(secret: string): SigningKey {
  must(/^wxb_[A-Za-z0-9_-]{43}$/.test(secret), 'malformed', 'no secret of a bot');
  return signingKey(fromBase64url(secret.slice(4), 32));
}

/** The bot that signed a payload; undefined for none. */
export function signingBot<T extends Bot>(payload: Payload, bots: readonly T[]): T | undefined {
  const { auth, channel } = payload;
  if (auth.by !== 'bot' || channel !== 'group') return undefined;
  const bot = bots.find(({ key }) => idOfKey(fromBase64url(key, 32)) === auth.botId);
  return bot !== undefined && isSignedUnder(payload, bot.key) ? bot : undefined;
}
