/**
 * What callers of the library give and get.
 */
import type { GroupView } from '../protocol/schemas/groups.ts';
import type { Named } from './controls.ts';
import type { Identity } from './identity/identity.ts';

export type RelayClientOptions =
  | {
      /** Base URL of the relay, such as https://relay.example. */
      relay: string;
      /** An API key (`sk_live_…`) or a group token (`gtk_live_…`). */
      secret: string;
      /** Signs what is sent, and receives. Without it messages are unsigned, and none can be received. */
      identity?: Identity;
      /**
       * The key of a bot (`wxb_…`), which was minted with the group token: signs what the token posts. It goes to no
       * relay.
       */
      botKey?: string;
      /**
       * File for what is remembered from run to run: the device lists that were seen, and the chains of groups. An
       * identity has one of its own; without either the memory ends with the program.
       */
      memory?: string;
    }
  | {
      /** An identity that is registered: brings its relay and API key. */
      identity: Identity;
      /** Where the relay is now, if that has changed. */
      relay?: string;
    };

export interface SendOptions {
  /** Give the same id again to repeat a message that may have arrived: recipients show it once. */
  messageId?: string;
  /** Whether a program wrote the text. True unless said; false where a person typed it. */
  automated?: boolean;
  /** The message that this answers, of the same conversation: it is quoted above the answer. */
  replyTo?: Named;
  /**
   * People whom the text mentions, by the words in it that do: `{ '@ben': '0x…' }`. They are notified though they have muted the
   * group, and apps show the name that they know them by.
   */
  mentions?: Readonly<Record<string, string>>;
  /**
   * After how many seconds it disappears: from sending it on own devices, from reading it on others. 30 to 31,536,000, or 0 for
   * never. Unless given, as the message does that it answers, and in a group as all messages there do.
   */
  expires?: number;
}

export interface DirectOptions extends SendOptions {
  /** Marks a first contact, which the recipient may accept or not. */
  asRequest?: boolean;
}

/** Whom an address or handle stands for, as the directory says. */
export interface Person {
  address: string;
  /** Null if the address has no public handle. */
  handle: string | null;
  displayName: string | null;
  /** Whether the relay's operator has verified the handle. */
  verified: boolean;
}

/** A group as its chain says and the relay shows it. */
export type Group = GroupView & {
  /** Who may invite and remove beside the creator. */
  admins: string[];
  /** Bots with keys of their own. `key`: Ed25519 public key in base64url. */
  bots: { key: string; name: string }[];
  /** Whether members show what a group token posted and nobody signed. */
  unsignedBots: boolean;
  /** After how many seconds messages disappear; 0 for never. */
  timer: number;
  /** Why nothing is sent to it; null if something is. */
  problem: string | null;
};

/** What is to be changed of a group; what is absent stays. */
export interface GroupChange {
  name?: string;
  description?: string;
  /** Anyone who knows it may join, from now on. */
  password?: string;
  /** Whether anybody may join from now on. False, without a password: by invitation alone. */
  open?: boolean;
  /** Addresses, or handles such as `@alice`. */
  addAdmins?: string[];
  removeAdmins?: string[];
  /** Whether members show what a group token posted and nobody signed. */
  unsignedBots?: boolean;
  /** After how many seconds messages disappear: 30 to 31,536,000, or 0 for never. */
  timer?: number;
  /** Who becomes the creator: an address, or a handle. Tokens and bots of the old one end. */
  creator?: string;
}

/** A new bot. Its secrets are in this answer and nowhere else, ever. */
export interface NewBot {
  /** The id of its token. */
  id: string;
  name: string;
  /** The group token (`gtk_live_…`). */
  secret: string;
  /** The key that signs (`wxb_…`); null for a token alone. */
  botKey: string | null;
}
