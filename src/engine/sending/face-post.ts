/**
 * The person's profile and the pictures of their groups sent to others: to accepted contacts, to groups, and to people
 * who join later. The cache has the recipients so far, so a killed app continues.
 */
import { describe } from '../../base/error-facts.ts';
import { Failure, failedWith, failureFrom } from '../../base/failure.ts';
import { log, logUnexpected, toFailure } from '../../base/log.ts';
import { OneAtATime } from '../../base/one-at-a-time.ts';
import type { Profile } from '../../messaging/contents/kind.ts';
import type { PictureContent } from '../../messaging/contents/kinds/profile.ts';
import { blobKeys } from '../../protocol/blob/keys.ts';
import { encodeTime } from '../../protocol/encoding.ts';
import { isCreatorOrAdmin } from '../../protocol/roster/state.ts';
import type { Face } from '../cache/faces.ts';
import type { StoredFile } from '../cache/files.ts';
import type { StoredGroup } from '../cache/group-chains.ts';
import type { Context } from '../context.ts';
import type { FileThread } from '../files/thread.ts';
import { sealedOf } from '../files/transfers.ts';
import type { Account } from '../identity/account.ts';
import {
  digestOfProfile,
  isEmptyProfile,
  isPictureUnsent,
  ownProfile,
  setElsewhereAt,
  setHereAt,
} from '../own/profile.ts';
import { queueControl, queueControlFor } from './queue-control.ts';

/** Limit of members of a group that gets profiles: each member sends one to each other. */
const MAX_MEMBERS = 100;
/** Conversations of one transaction. */
const AT_ONCE = 50;
/** Time for another own device to send its own change, in milliseconds. */
const LEFT_TO_OTHERS = 10 * 60_000;
/** Age at which the claim on a blob is renewed, in milliseconds: well before the relay deletes it. */
const RENEW_AFTER = 25 * 24 * 3_600_000;

interface FaceParts {
  context: Context;
  thread: FileThread;
  account: Account;
  /** Called after a control was queued. */
  onQueued: () => void;
  /** Called when the person's picture is at the relay: other own devices can download it. */
  onKept: () => void;
}

export class FacePost {
  readonly #parts: FaceParts;
  readonly #work = new OneAtATime(() => this.#post());
  #renews = true;
  #closed = false;

  constructor(parts: FaceParts) {
    this.#parts = parts;
  }

  /** Called when a profile may be due: after a change, an acceptance, a page of the queue, or a joined group. */
  wake(): void {
    if (!this.#closed) void this.#work.request().catch((error: unknown) => logUnexpected(describe(error)));
  }

  /** Called now and then: also renews claims on blobs. */
  renew(): void {
    this.#renews = true;
    this.wake();
  }

  /** The next start continues. */
  close(): void {
    this.#closed = true;
  }

  /**
   * Uploads a prepared picture.
   * @returns the failure if another attempt may succeed; null if it is at the relay
   * @throws the failure of the upload
   */
  async upload(file: StoredFile): Promise<Failure | null> {
    const { account, thread } = this.#parts;
    const relay = { url: account.relay.baseUrl, address: account.address };
    const answer = await thread.transfer((functions) => functions.upload(sealedOf(file), relay, 0));
    if (answer.ok) return null;
    const failure = failureFrom(answer.failure);
    if (answer.wait === null) throw failure;
    return failure;
  }

  async #post(): Promise<void> {
    const { context } = this.#parts;
    if (this.#renews) {
      this.#renews = false;
      await this.#renewClaims();
    }
    if (isPictureUnsent(context)) {
      await this.#renewOrLog(context.faces.get(this.#parts.account.address));
      if (isPictureUnsent(context)) return;
      this.#parts.onKept();
    }
    if (this.#closed || context.now() - setElsewhereAt(context) < LEFT_TO_OTHERS) return;
    while (!this.#closed && this.#queueSome()) await new Promise(setImmediate);
  }

  /** @returns whether more may be due */
  #queueSome(): boolean {
    const { account, context, onQueued } = this.#parts;
    const profile = ownProfile(context);
    if (!profile) return false;
    const { conversations, faces, transaction } = context;
    const own = account.address;
    // Another own device sends a changed profile before the settings in it, which it collects for some seconds. A profile
    // without them, sent from here, would replace it.
    const since = encodeTime(Math.max(context.now() - LEFT_TO_OTHERS, setHereAt(context)));
    const wanted = { digest: digestOfProfile(profile), isEmpty: isEmptyProfile(context, profile), since };
    const due = conversations.withoutProfile(wanted, own, MAX_MEMBERS, AT_ONCE);
    const content = contentOf(profile);
    const replaced = faces.get(own);
    transaction(() => {
      for (const id of due) {
        const conversation = conversations.get(id);
        if (conversation) queueControl(context, own, conversation, content, replaced);
      }
    });
    if (due.length > 0) onQueued();
    return due.length === AT_ONCE;
  }

  /** Sends new members the person's profile, and the picture of the group if the person may set it. */
  welcome(group: StoredGroup, joined: readonly string[]): void {
    const { account, context, onQueued } = this.#parts;
    const { conversations, faces, transaction } = context;
    const own = account.address;
    const conversation = conversations.findByGroup(group.id);
    const others = joined.filter((address) => address !== own);
    if (!conversation || !group.joined || others.length === 0 || others.length < joined.length) return;
    const profile = ownProfile(context);
    const isSent = profile && conversations.profileSent(conversation.id) === digestOfProfile(profile);
    const face = isCreatorOrAdmin(group.state, own) ? faces.get(group.groupId) : null;
    transaction(() => {
      if (profile && isSent) queueControlFor(context, own, conversation, contentOf(profile), others);
      if (face?.picture) queueControlFor(context, own, conversation, repeated(face), others);
    });
    if (isSent || face?.picture) onQueued();
    // The own profile is not sent to a group without other members. It is due now.
    if (!isSent) this.wake();
  }

  /** Renews the claims on the blobs of the own picture, and of groups that the person manages. */
  async #renewClaims(): Promise<void> {
    const { context } = this.#parts;
    const { faces, groups, now } = context;
    const own = this.#parts.account.address;
    const managed = groups.joined().filter(({ state }) => isCreatorOrAdmin(state, own));
    for (const owner of [own, ...managed.map(({ groupId }) => groupId)]) {
      const face = faces.get(owner);
      if (this.#closed || !face?.picture || face.fileId === null || now() - face.keptAt < RENEW_AFTER)
        continue;
      await this.#renewOrLog(face);
    }
  }

  /** The next call tries again. */
  async #renewOrLog(face: Face | null): Promise<void> {
    try {
      if (face) await this.#renew(face);
    } catch (error) {
      if (this.#closed) return;
      log('info', 'face.not_kept', { code: toFailure(error).code });
      if (!(error instanceof Failure)) throw error;
    }
  }

  /** The copy on the disk is the blob itself: it can be uploaded again. */
  async #renew({ owner, fileId }: Face): Promise<void> {
    const { faces, files, now } = this.#parts.context;
    const file = fileId === null ? null : files.get(fileId);
    if (!file) return;
    const { relay } = this.#parts.account;
    try {
      await relay.call('adoptBlob', { params: { id: blobKeys(file.key).id } });
    } catch (error) {
      if (!failedWith(error, 'not_found') || !file.isHere) throw error;
      const failure = await this.upload(file);
      if (failure) throw failure;
    }
    if (!this.#closed) faces.setKept(owner, now());
  }
}

function contentOf({ name, about, avatar }: Profile) {
  return { kind: 'profile', name, ...(about !== null && { about }), avatar };
}

/** A group's picture for new members, in its own version. */
function repeated({ picture, sentAt, id, sender }: Face): PictureContent {
  return { kind: 'picture', file: picture, set: { sentAt, id, sender } };
}
