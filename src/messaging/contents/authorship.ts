/** The author of a content, and its conversation: the facts that rights are decided by. */
import type { Channel } from './channel.ts';

/** The proven author of a content. */
export type Authorship =
  /** A device certified by the sender's wallet. */
  | { by: 'person'; address: string }
  /** A bot in the group's roster. `address` is the creator's, the sender of its messages. */
  | { by: 'bot'; address: string; botId: string }
  /** Unsigned: only the relay claims it. */
  | { by: 'nobody'; address: string; via: 'session' | 'api_key' | 'group_token' };

/** The conversation of the content, as this device knows it. */
export interface Place {
  channel: Channel;
  /** The own address. */
  self: string;
  /** `peer` of a direct body. */
  peer: string | null;
  /** Address of the group's creator. */
  creator: string | null;
  admins: readonly string[];
}
