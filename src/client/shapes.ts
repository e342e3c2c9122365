/** Input and output shapes of the library. */
import type { RelayRefusal, RelayUnreachable } from '../messaging/relay.ts';
import type { GroupView } from '../protocol/schemas/groups.ts';
import type { Named } from './controls.ts';
import type { TransferOptions } from './files/transfer.ts';
import type { Identity } from './identity/identity.ts';

export type RelayClientOptions = {
  /** Called when sending fails for now, before each pause: the attempt is repeated. */
  onProblem?: (problem: RelayUnreachable | RelayRefusal) => void;
} & (
  | {
      /** Base URL of the relay, such as https://relay.example. */
      relay: string;
      /** An API key (`sk_live_…`) or a group token (`gtk_live_…`). */
      secret: string;
      /** Signs sent messages, and receives. Without it messages are unsigned, and receiving is impossible. */
      identity?: Identity;
      /** The key of a bot (`wxb_…`), created with the group token: signs its posts. It is never sent to a relay. */
      botKey?: string;
      /**
       * File for the memory between runs: seen device lists, and the chains of groups. An identity has its own;
       * without either the memory ends with the program.
       */
      memory?: string;
    }
  | {
      /** A registered identity: provides its relay and API key. */
      identity: Identity;
      /** The relay's new URL, if it has changed. */
      relay?: string;
    }
);

export interface SendOptions {
  /** Repeats a message that may have arrived: recipients show one message for each id. */
  messageId?: string;
  /** True if a program wrote the text. True by default; false for text typed by a person. */
  automated?: boolean;
  /** The answered message of the same conversation: quoted above the answer. */
  replyTo?: Named;
  /**
   * People mentioned in the text, by the words that mention them: `{ '@ben': '0x…' }`. They are notified even if they
   * have muted the group, and apps show their own name for them.
   */
  mentions?: Readonly<Record<string, string>>;
  /**
   * Lifetime in seconds: counted from sending on own devices, from reading on others. 30 to 31,536,000, or 0 for
   * never. By default that of the answered message, or of the group.
   */
  expires?: number;
}

export interface DirectOptions extends SendOptions {
  /** Marks a first contact, which the recipient may accept or not. */
  asRequest?: boolean;
}

/** Beside files. `mentions` are words of the caption. */
export interface FilesOptions extends SendOptions, TransferOptions {
  /** The text of the message: at most 4,096 bytes of UTF-8. */
  caption?: string;
}

export interface DirectFilesOptions extends FilesOptions, DirectOptions {}

/** The owner of an address or handle, according to the directory. */
export interface Person {
  address: string;
  /** Null if the address has no public handle. */
  handle: string | null;
  displayName: string | null;
  /** True if the relay's operator has verified the handle. */
  verified: boolean;
}

/** A group according to its chain and the relay. */
export type Group = GroupView & {
  /** Members who may invite and remove, besides the creator. */
  admins: string[];
  /** Bots with their own keys. `key`: Ed25519 public key in base64url. */
  bots: { key: string; name: string }[];
  /** True if members show unsigned posts with a group token. */
  unsignedBots: boolean;
  /** Lifetime of messages in seconds; 0 for never. */
  timer: number;
  /** Reason for not sending to it; null if sending is possible. */
  problem: string | null;
};

/** Changes of a group; absent fields stay unchanged. */
export interface GroupChange {
  name?: string;
  description?: string;
  /** New password: anyone who knows it may join. */
  password?: string;
  /** True if anyone may join. False, without a password: only by invitation. */
  open?: boolean;
  /** Addresses, or handles such as `@alice`. */
  addAdmins?: string[];
  removeAdmins?: string[];
  /** True if members show unsigned posts with a group token. */
  unsignedBots?: boolean;
  /** Lifetime of messages in seconds: 30 to 31,536,000, or 0 for never. */
  timer?: number;
  /** The new creator: an address, or a handle. Tokens and bots of the old one end. */
  creator?: string;
}

/** A new bot. Only this answer contains its secrets. */
export interface NewBot {
  /** The id of its token. */
  id: string;
  name: string;
  /** The group token (`gtk_live_…`). */
  secret: string;
  /** The signing key (`wxb_…`); null for a token without a key. */
  botKey: string | null;
}
