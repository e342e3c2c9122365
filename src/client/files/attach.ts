/**
 * Sealing and uploading the files of a message.
 *
 *   fileKey = HMAC-SHA256(secret of the journal,
 *     "waxwing/attach/v1 " || conversation || " " || messageId || " " || index || SHA-256(file))
 *
 * So a message that is sent again with its id after a kill has the same files, without a stored key: the same bytes give
 * the same blob, of which the relay has parts already. Other bytes have another key, so that no key seals twice.
 */
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_FILES } from '../../messaging/contents/kinds/attachment.ts';
import type { AttachedFile } from '../../protocol/blob/file.ts';
import { blobKeys } from '../../protocol/blob/keys.ts';
import { largestFile } from '../../protocol/blob/layout.ts';
import { hmacSha256 } from '../../protocol/crypto.ts';
import { encodeUtf8 } from '../../protocol/encoding.ts';
import type { RelayApi } from '../api.ts';
import { Failure } from '../errors.ts';
import { type FileAbout, type FileToSend, openSource, type Source } from './source.ts';
import { hashSource, sealSource } from './spool.ts';
import type { TransferOptions } from './transfer.ts';
import { uploadFile } from './upload.ts';

interface AttachParts {
  api: RelayApi;
  /** Of the journal. */
  secret: Uint8Array;
}

/** The message with the files. `to`: the recipient's address, or the group's id. */
interface AttachTo {
  id: string;
  to: string;
}

/**
 * Seals and uploads files. Nothing is sent if one of them cannot be read.
 * @throws Failure 'too_many_files', 'file_unreadable', 'file_empty', 'file_too_long', 'file_changed',
 * 'file_details_malformed', 'file_too_slow'; RelayRefusal such as 'blob_quota', RelayUnreachable
 */
export async function attachFiles(
  { api, secret }: AttachParts,
  message: AttachTo,
  files: readonly FileToSend[],
  options: TransferOptions,
): Promise<AttachedFile[]> {
  if (files.length === 0 || files.length > MAX_FILES) throw new Failure('too_many_files');
  const { blobBytes } = await api.limits();
  const most = largestFile(blobBytes);
  const sources: Source[] = [];
  try {
    for (const file of files) {
      const source = await openSource(file, most);
      sources.push(source);
      if (source.size === 0) throw new Failure('file_empty');
      if (source.size > most) throw new Failure('file_too_long', { most });
    }
    const attached: AttachedFile[] = [];
    for (const [index, source] of sources.entries()) {
      const content = await hashSource(source);
      const name = `waxwing/attach/v1 ${message.to} ${message.id} ${index} `;
      const key = hmacSha256(secret, encodeUtf8(name), content);
      const file = files[index];
      const about = typeof file === 'object' ? file : {};
      attached.push(await sealAndUpload(api, source, { key, content, about }, options));
    }
    return attached;
  } finally {
    for (const source of sources) await source.close();
  }
}

async function sealAndUpload(
  api: RelayApi,
  source: Source,
  { key, content, about }: { key: Uint8Array; content: Uint8Array; about: FileAbout },
  options: TransferOptions,
): Promise<AttachedFile> {
  const spool = join(tmpdir(), `waxwing-${blobKeys(key).id}`);
  // Left by a killed process.
  await rm(spool, { force: true });
  try {
    const file = await sealSource(source, key, spool, about, content);
    await uploadFile(api, file, spool, options);
    return file;
  } finally {
    await rm(spool, { force: true });
  }
}
