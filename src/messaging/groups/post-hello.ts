/** Posts a `hello` to a group, once: unnumbered and not stored. Members who miss it read the chain. */
import { randomBytes } from '../../protocol/crypto.ts';
import { encodeBase64Url, encodeTime } from '../../protocol/encoding.ts';
import type { GroupEnvelope } from '../../protocol/schemas/groups.ts';
import { type GroupNow, type GroupsNow, sendToGroup } from '../sending/group.ts';
import type { Copy, MessageBody, Outgoing, SendingParts } from '../sending/outgoing.ts';
import { UNSEALED } from '../sending/signed-payload.ts';

/** Groups for a `hello`. It is sent even if the chain is split: it carries the proof of that. */
export interface GroupsForHello extends Pick<GroupsNow, 'expire'> {
  /**
   * Same as `now`, but allows a split.
   * @throws as `now`
   */
  nowThoughSplit(groupId: string, freshFor: number): Promise<GroupNow>;
}

/**
 * @param fields of the hello
 * @param automated whether a program sends it
 * @throws the errors of sending to a group, except for a split
 */
export async function postHello(
  parts: SendingParts & { groups: GroupsForHello },
  groupId: string,
  fields: Readonly<Record<string, unknown>>,
  automated: boolean,
): Promise<void> {
  const outgoing = new InMemory({
    id: encodeBase64Url(randomBytes(16)),
    sender: parts.author.address,
    sentAt: encodeTime(parts.now()),
    seq: 0,
    kind: 'hello',
    groupId,
    roster: UNSEALED,
    ...fields,
  });
  const groups = {
    now: (id: string, freshFor: number) => parts.groups.nowThoughSplit(id, freshFor),
    expire: (id: string) => parts.groups.expire(id),
  };
  await sendToGroup({ ...parts, groups }, outgoing, groupId, { automated });
}

class InMemory implements Outgoing {
  body: MessageBody;
  readonly pendingRecipients = null;
  #copies: Copy[] = [];

  constructor(body: MessageBody) {
    this.body = body;
  }

  saveBody(body: MessageBody): MessageBody {
    this.body = body;
    return body;
  }

  copies(): readonly Copy[] {
    return this.#copies;
  }

  addCopies(envelopes: readonly GroupEnvelope[]): void {
    this.#copies.push(...envelopes.map((envelope) => ({ envelope, accepted: false })));
  }

  acceptCopies(keys: readonly string[]): void {
    this.#copies = this.#copies.map((copy) =>
      keys.includes(copy.envelope.recipientDeviceKey) ? { ...copy, accepted: true } : copy,
    );
  }

  removeCopies(keys: readonly string[]): void {
    this.#copies = this.#copies.filter(({ envelope }) => !keys.includes(envelope.recipientDeviceKey));
  }
}
