/** Sending of reactions, edits and deletions, after a check of the program's right to them. */

import type { Authorship, Place } from '../messaging/contents/authorship.ts';
import type { Content } from '../messaging/contents/kind.ts';
import { nextSentAt } from '../messaging/contents/versions.ts';
import type { PrivateKey } from '../protocol/crypto.ts';
import { requireRight } from './controls.ts';
import type { Identity } from './identity/identity.ts';
import type { NamedMessage } from './message-ref.ts';
import type { MessageSender } from './message-sender.ts';
import type { ProgramGroups } from './program-groups.ts';
import { contentBody, newMessageId } from './sealing.ts';
import type { Sent } from './sending.ts';

interface ControlParts {
  sender: MessageSender;
  identity: Identity | null;
  bot: PrivateKey | null;
  isToken: boolean;
  groups: ProgramGroups;
  /** Announces changes of the identity's devices. */
  openGreetings(): void;
}

export class ControlSender {
  readonly #parts: ControlParts;

  constructor(parts: ControlParts) {
    this.#parts = parts;
  }

  /** Sends a control about a message. */
  async send(kind: 'reaction' | 'edit' | 'delete', named: NamedMessage, content: Content): Promise<Sent> {
    const { where, sentAt } = named;
    const from = await this.#parts.sender.address();
    this.#parts.openGreetings();
    requireRight(kind, this.#authorship(from), named, await this.#placeOf(from, kind, named));
    // An edit must be later than its message, even if this clock is behind.
    const at = nextSentAt(Date.now(), null, kind === 'edit' ? sentAt : null);
    const body = contentBody(newMessageId(), from, where, content, at);
    return this.#parts.sender.sendBody(body, where, { automated: true, asRequest: false });
  }

  /**
   * The program's authorship, as others see it.
   * @param address of the sender according to the relay
   */
  #authorship(address: string): Authorship {
    if (this.#parts.bot) return { by: 'bot', address, botId: '' };
    if (this.#parts.identity) return { by: 'person', address };
    return { by: 'nobody', address, via: this.#parts.isToken ? 'group_token' : 'api_key' };
  }

  /** The group's owner and admins are fetched only if needed. */
  async #placeOf(self: string, kind: string, { name, where }: NamedMessage): Promise<Place> {
    const nobody = { self, creator: null, admins: [] };
    if ('peer' in where) return { ...nobody, channel: 'direct', peer: where.peer };
    if (kind !== 'delete' || name.sender === self || !this.#parts.identity)
      return { ...nobody, channel: 'group', peer: null };
    const { group } = await this.#parts.groups.directory.seen(where.groupId, 0);
    const { creator, admins } = group.state;
    return { channel: 'group', self, peer: null, creator, admins };
  }
}
