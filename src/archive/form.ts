/**
 * The form of a backup (docs/backup.md): a header with the wrapped key, sealed blocks, a sealed manifest that lists them, and a
 * trailer with the place of the manifest. In a folder, the blocks are files of their own.
 */
import { z } from 'zod';
import { RecoveryWrap } from '../base/node/recovery-wrap.ts';
import { PassphraseBox } from '../base/node/secret-box.ts';
import { Bytes, WireAddress } from '../protocol/primitives.ts';
import { FileRecord } from './history-records.ts';

export const BACKUP_VERSION = 1;
/** First bytes of a backup. */
export const MAGIC = Buffer.from('waxwing backup 1\n', 'ascii');
/** Last bytes of a complete backup. */
export const END = Buffer.from('waxwing backup end\n', 'ascii');
/** Records of one block, and a piece of a file: contents up to about this size. */
export const BLOCK_BYTES = 1024 * 1024;
/** A piece of a file in a folder, where each block is a file of its own, with a sync: fewer and larger ones. */
export const FOLDER_PIECE_BYTES = 4 * 1024 * 1024;
/** Contents of the largest block: one record may be longer than a block. */
export const MAX_BLOCK_BYTES = 32 * 1024 * 1024;
export const MAX_HEADER_BYTES = 16 * 1024;
export const MAX_MANIFEST_BYTES = 256 * 1024 * 1024;

export const NAME_BYTES = 32;
export const TAG_BYTES = 16;
export const NONCE_BYTES = 12;
/** Before the sealed contents of a block: their length, and the name. */
export const BLOCK_HEAD = 4 + NAME_BYTES;
/** Place of the manifest, its length, and {@link END}. */
export const TRAILER_BYTES = 8 + 4 + END.length;

export const BackupHeader = z.strictObject({
  version: z.literal(BACKUP_VERSION),
  /** Random; of this backup. */
  id: Bytes(16),
  /** The backup key under a passphrase; null for none. */
  passphrase: PassphraseBox.nullable(),
  /** The backup key under the recovery phrase; null for none. */
  recovery: RecoveryWrap.nullable(),
});
export type BackupHeader = z.infer<typeof BackupHeader>;

const Count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const Block = z.strictObject({
  name: Bytes(NAME_BYTES),
  bytes: z.number().int().min(1).max(MAX_BLOCK_BYTES),
  /** Place in the file; null for a block in a folder. */
  at: Count.nullable(),
});
/** Messages of one range of numbers. A large range has several blocks. */
const HistoryBlock = Block.extend({
  range: z
    .number()
    .int()
    .min(-(2 ** 50))
    .max(2 ** 50),
  messages: Count,
});

export const Manifest = z.strictObject({
  version: z.literal(BACKUP_VERSION),
  id: Bytes(16),
  /** `folder`: the blocks are in the folder beside the file, by their names. */
  blocks: z.enum(['file', 'folder']),
  address: WireAddress,
  /** Time of its beginning, in milliseconds since 1970. */
  at: Count,
  /** Greatest `arrival` of its messages: src/archive/history-records.ts. */
  lastArrival: z.number().int(),
  messages: Count,
  fileBytes: Count,
  /** Blocks of people, groups and settings, in order; then those of messages, oldest first. */
  people: z.array(Block),
  history: z.array(HistoryBlock),
  files: z.array(z.strictObject({ file: FileRecord, pieces: z.array(Block) })),
  /** Pieces of files that became shorter while they were read: they only fill their places. */
  unused: z.array(Block),
});
export type Manifest = z.infer<typeof Manifest>;
export type BlockEntry = z.infer<typeof Block>;
export type HistoryBlock = z.infer<typeof HistoryBlock>;

/** Bytes of a block in a file. */
export const sealedBytes = ({ bytes }: Pick<BlockEntry, 'bytes'>): number => BLOCK_HEAD + bytes + TAG_BYTES;

/** All blocks of a manifest: people, groups and settings, then messages, then files, then unused ones. */
export function blocksOf({ people, history, files, unused }: Manifest): BlockEntry[] {
  return [...people, ...history, ...files.flatMap(({ pieces }) => pieces), ...unused];
}
