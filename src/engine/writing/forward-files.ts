/**
 * Files of forwarded messages. The relay keeps the same blob for this account, too; if it has deleted it, the copy on this
 * disk is sealed again under another key.
 */
import { Failure, failedWith } from '../../base/failure.ts';
import { RelayUnreachable } from '../../messaging/relay.ts';
import { AttachedFile } from '../../protocol/blob/file.ts';
import { blobKeys, newFileKey } from '../../protocol/blob/keys.ts';
import { encodeBase64Url } from '../../protocol/encoding.ts';
import { type FileOfMessage, filesOf } from '../files/message-files.ts';
import { sealedOf } from '../files/transfers.ts';
import { type FileParts, requireOnline } from '../parts.ts';

/** Files for one or more messages, and the sealed copies among them, which are prepared. */
export interface ForwardedFiles {
  files: AttachedFile[];
  /** Id of the prepared copy at its place; null for the same blob. */
  copies: (number | null)[];
}

/** Forwards files, each only once. */
export class Forwarding {
  readonly #parts: FileParts;
  /** By the id of the stored file. */
  readonly #done = new Map<number, { file: AttachedFile; copy: number | null }>();

  constructor(parts: FileParts) {
    this.#parts = parts;
  }

  /**
   * Prepares the files of a message.
   * @throws Failure file_gone if a file is neither here nor at the relay; disk_full; RelayRefusal ('blob_quota');
   * RelayUnreachable for a file that is not here
   */
  async prepare(messageId: number): Promise<ForwardedFiles> {
    const result: ForwardedFiles = { files: [], copies: [] };
    for (const found of filesOf(this.#parts.context, messageId)) {
      const { id } = found.stored;
      const done = this.#done.get(id) ?? (await this.#prepare(found));
      this.#done.set(id, done);
      // The words about it are those of its message. Unknown fields are not passed on.
      const about = AttachedFile.strip().parse(found.claimed);
      const { key, digest, size } = done.file;
      result.files.push({ ...about, key, digest, size });
      result.copies.push(done.copy);
    }
    return result;
  }

  /** Adds prepared files to a message, in the caller's transaction. */
  attach(message: { id: number; conversationId: number }, { files: attached, copies }: ForwardedFiles): void {
    const { files } = this.#parts.context;
    files.add(message, attached);
    for (const id of copies) if (id !== null) files.planUpload(id);
  }

  /** Removes prepared copies that were not sent. */
  drop(): void {
    const { files } = this.#parts.context;
    const copies = [...this.#done.values()].flatMap(({ copy }) => (copy === null ? [] : [copy]));
    files.removePrepared(copies);
    files.reportRemoved();
  }

  async #prepare({
    claimed: file,
    stored,
  }: FileOfMessage): Promise<{ file: AttachedFile; copy: null | number }> {
    // The blob of a message that is being sent: the forwarded message waits for it, too.
    if (stored.task === 'upload') return { file, copy: null };
    const { account } = requireOnline(this.#parts);
    try {
      await account.relay.call('adoptBlob', { params: { id: blobKeys(stored.key).id } });
      this.#parts.context.unwantedBlobs.keep(stored.key);
      return { file, copy: null };
    } catch (error) {
      const isGone = failedWith(error, 'not_found');
      if (stored.isHere && (isGone || error instanceof RelayUnreachable)) return this.#seal(file, stored);
      throw isGone ? new Failure('file_gone') : error;
    }
  }

  /** Seals the copy on the disk under another key. */
  async #seal(
    file: AttachedFile,
    stored: FileOfMessage['stored'],
  ): Promise<{ file: AttachedFile; copy: number }> {
    const { context, thread } = this.#parts;
    const key = newFileKey();
    const id = context.files.prepare(key, stored.size);
    try {
      const { digest, mediaType } = await thread.call((functions) =>
        functions.copy(sealedOf(stored), { id, key }),
      );
      context.files.setSealed(id, digest, mediaType);
      const reference = { key: encodeBase64Url(key), digest: encodeBase64Url(digest) };
      return { file: { ...file, ...reference }, copy: id };
    } catch (error) {
      context.files.removePrepared([id]);
      context.files.reportRemoved();
      throw error;
    }
  }
}
