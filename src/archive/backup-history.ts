/** The people, chats and messages of a backup, for programs. One block after the other is read; none is kept. */

import { Failure } from '../base/failure.ts';
import type { Named } from '../base/person-name.ts';
import { personName } from '../base/person-name.ts';
import { toChecksumAddress } from '../protocol/address.ts';
import { BlobError } from '../protocol/blob/chunks.ts';
import type { AttachedFile } from '../protocol/blob/file.ts';
import { chunkAt } from '../protocol/blob/layout.ts';
import { BlobReader } from '../protocol/blob/stream.ts';
import { decodeBase64Url } from '../protocol/encoding.ts';
import { toLabel } from '../protocol/label.ts';
import { isWireAddress } from '../protocol/wire-address.ts';
import { type AccountRecord, HistoryRecord, type MessageRecord } from './history-records.ts';
import type { BackupSecrets } from './keys.ts';
import { type OpenedFile, openNewest } from './open-newest.ts';

/** A person as the account of the backup knew them. */
export interface Person extends Named {
  nickname: string | null;
  handleVerified: boolean;
}

export interface Chat {
  /** Wire address of the other person, or id of the group. */
  id: string;
  kind: 'direct' | 'group';
  /** Name of its person or group. */
  title: string;
  isSelf: boolean;
  isBlocked: boolean;
}

/** A message as it was written: its fields are not validated. */
export type RawMessage = Readonly<Record<string, unknown>> & { readonly type: 'message' };

/** Types of records with names. */
const NAMED: ReadonlySet<unknown> = new Set(['account', 'contact', 'group', 'setting', 'conversation']);

export class BackupHistory implements AsyncDisposable {
  readonly #opened: OpenedFile;
  readonly #account: AccountRecord;
  /** By wire addresses. */
  readonly #people = new Map<string, Omit<Person, 'address' | 'nickname'>>();
  readonly #nicknames = new Map<string, string>();
  readonly #groups = new Map<string, string>();
  /** State of each chat. */
  readonly #chats = new Map<string, string>();
  /** Number of each file in the manifest. */
  readonly #files: ReadonlyMap<string, number>;
  /** Number of the first block of each file. */
  readonly #firstPieces: number[] = [];

  private constructor(opened: OpenedFile, account: AccountRecord) {
    this.#opened = opened;
    this.#account = account;
    const { files, people, history } = opened.manifest;
    let first = people.length + history.length;
    for (const { pieces } of files) {
      this.#firstPieces.push(first);
      first += pieces.length;
    }
    this.#files = new Map(files.map(({ file }, index) => [nameOfFile(file), index]));
  }

  /**
   * @param path of a backup, or of a folder with backups: the newest one that can be opened
   * @throws Failure backup_secret_wrong and those of reading
   */
  static async open(path: string, secrets: BackupSecrets): Promise<BackupHistory> {
    const opened = await openNewest(path, secrets, null);
    try {
      let history: BackupHistory | null = null;
      for (let index = 0; index < opened.manifest.people.length; index++) {
        for (const raw of linesIn(await opened.file.read(index))) {
          const record = NAMED.has(raw.type) ? HistoryRecord.safeParse(raw).data : undefined;
          if (record?.type === 'account') history ??= new BackupHistory(opened, record);
          else if (record && history) history.#add(record);
        }
      }
      if (!history || history.#account.address !== opened.manifest.address)
        throw new Failure('backup_damaged');
      return history;
    } catch (error) {
      await opened.file.close();
      throw error;
    }
  }

  #add(record: HistoryRecord): void {
    if (record.type === 'contact') {
      const { address, handle, displayName, handleVerified, profile } = record;
      const sent = profile?.name == null ? null : toLabel(profile.name);
      const shown = sent === null ? displayName : sent === handle ? null : sent;
      this.#people.set(address, { handle, displayName: shown, handleVerified });
    } else if (record.type === 'group') this.#groups.set(record.groupId, toLabel(record.name));
    else if (record.type === 'conversation') this.#chats.set(record.conversation, record.state);
    else if (
      record.type === 'setting' &&
      record.key.startsWith('nickname/') &&
      typeof record.value === 'string'
    )
      this.#nicknames.set(record.key.slice('nickname/'.length), toLabel(record.value));
  }

  get account(): AccountRecord {
    return this.#account;
  }

  /** Facts of its manifest. */
  get facts() {
    const { at, messages, fileBytes, files } = this.#opened.manifest;
    return { path: this.#opened.file.path, at, messages, files: files.length, fileBytes };
  }

  /** Number of newer backups in its folder that cannot be opened. */
  get skipped(): number {
    return this.#opened.skipped;
  }

  /** @param address in wire form */
  person(address: string): Person {
    const { handle, displayName } = this.#account;
    const own = { handle, displayName, handleVerified: false };
    const known = address === this.#account.address ? own : this.#people.get(address);
    const nickname = this.#nicknames.get(address) || null;
    const unknown = { handle: null, displayName: null, handleVerified: false };
    return { address: toChecksumAddress(address), nickname, ...(known ?? unknown) };
  }

  /** Wire addresses of all known people. */
  people(): string[] {
    return [this.#account.address, ...this.#people.keys()];
  }

  /** @param id wire address of a person, or id of a group */
  chat(id: string): Chat {
    const isDirect = isWireAddress(id);
    const title = isDirect ? personName(this.person(id)) : this.#groups.get(id) || id;
    const isBlocked = this.#chats.get(id) === 'blocked';
    return {
      id,
      kind: isDirect ? 'direct' : 'group',
      title,
      isSelf: id === this.#account.address,
      isBlocked,
    };
  }

  chats(): Chat[] {
    return [...this.#chats.keys()].map((id) => this.chat(id));
  }

  /** Number of blocks with messages. */
  get blocks(): number {
    return this.#opened.manifest.history.length;
  }

  /** Messages of a block, in the order of their arrival. @throws Failure backup_damaged, backup_unreadable */
  async messages(block: number): Promise<RawMessage[]> {
    const contents = await this.#opened.file.read(this.#opened.manifest.people.length + block);
    return linesIn(contents).filter((raw): raw is RawMessage => raw.type === 'message');
  }

  hasFile(file: AttachedFile): boolean {
    return this.#files.has(nameOfFile(file));
  }

  /** The bytes of a file. @throws Failure file_not_as_sent and those of reading */
  async *file({ key, digest, size, ...rest }: AttachedFile): AsyncGenerator<Uint8Array> {
    const index = this.#files.get(nameOfFile({ key, digest, size, ...rest })) ?? -1;
    const pieces = this.#opened.manifest.files[index]?.pieces ?? [];
    const reader = new BlobReader(decodeBase64Url(key), size, decodeBase64Url(digest));
    let [sealed, chunk, left] = [Buffer.alloc(0), 0, size];
    try {
      for (let piece = 0; piece < pieces.length; piece++) {
        const contents = await this.#opened.file.read((this.#firstPieces[index] ?? 0) + piece);
        sealed = Buffer.concat([sealed, contents]);
        while (chunk < reader.layout.chunks) {
          const { length } = chunkAt(reader.layout, chunk).blob;
          if (sealed.length < length) break;
          const plain = reader.push(sealed.subarray(0, length)).subarray(0, left);
          [sealed, left] = [sealed.subarray(length), left - plain.length];
          chunk += 1;
          if (plain.length > 0) yield plain;
        }
      }
      reader.finish();
    } catch (error) {
      throw error instanceof BlobError ? new Failure('file_not_as_sent') : error;
    }
  }

  /** Reads and verifies everything. @param onVerified called with the share that is verified, up to 1 */
  async verify(onVerified: (share: number) => void): Promise<void> {
    const { file } = this.#opened;
    await file.verify((bytes) => onVerified(bytes / Math.max(1, file.blockBytes)));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#opened.file.close();
  }
}

const nameOfFile = ({ key, digest, size }: Pick<AttachedFile, 'key' | 'digest' | 'size'>) =>
  `${key} ${digest} ${size}`;

/** Objects in lines of JSON. A malformed line is left out. */
function linesIn(contents: Buffer): Readonly<Record<string, unknown>>[] {
  return contents
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        const value: unknown = line === '' ? null : JSON.parse(line);
        return typeof value === 'object' && value !== null ? [value as Record<string, unknown>] : [];
      } catch {
        return [];
      }
    });
}

/** A message with valid fields; null for a malformed one. */
export function validMessage(raw: RawMessage): MessageRecord | null {
  const record = HistoryRecord.safeParse(raw).data;
  return record?.type === 'message' ? record : null;
}

/** Display time of sending, in milliseconds since 1970. */
export function timeOf({ event, storedAt, receivedAt, late, sentAt }: MessageRecord): number {
  return event ? storedAt : Math.min(storedAt, receivedAt, late > 0 ? sentAt : storedAt);
}
