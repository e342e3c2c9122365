/**
 * Uploads a sealed file from its spool. Parts already at the relay are skipped, so an upload continues after a broken
 * connection or a restart.
 */
import { createReadStream } from 'node:fs';
import { contentDigest } from '../../protocol/blob/digest.ts';
import type { AttachedFile } from '../../protocol/blob/file.ts';
import { blobKeys } from '../../protocol/blob/keys.ts';
import { blobLayout, largestFile, partsOf, type Range } from '../../protocol/blob/layout.ts';
import { decodeBase64Url } from '../../protocol/encoding.ts';
import type { RelayApi } from '../api.ts';
import { Failure, failedWith, RelayUnreachable } from '../errors.ts';
import { digestsOf } from './spool.ts';
import { Patience, STALL, type TransferOptions } from './transfer.ts';

/** The most times that the relay may report missing parts at the end. */
const MAX_ROUNDS = 3;
const READ_BYTES = 64 * 1024;

/**
 * @param file result of sealFile
 * @param spool path of the sealed file
 * @throws Failure 'file_spool_changed', 'file_too_long', 'file_too_slow'; RelayRefusal ('blob_quota',
 * 'blob_conflict'),
 * RelayUnreachable
 */
export async function uploadFile(
  api: RelayApi,
  file: AttachedFile,
  spool: string,
  { signal, onProgress = () => undefined }: TransferOptions = {},
): Promise<void> {
  const { id } = blobKeys(decodeBase64Url(file.key));
  const layout = blobLayout(file.size);
  const { parts: digests } = await digestsOf(spool, layout, file);
  const { blobBytes } = await api.limits();
  if (layout.length > blobBytes) throw new Failure('file_too_long', { most: largestFile(blobBytes) });
  const patience = new Patience(layout.length, signal);
  const places = partsOf(layout.length);

  for (let round = 1; ; round++) {
    try {
      const begun = await patience.run(() =>
        api.call('beginBlob', { params: { id }, body: { size: layout.length }, signal }),
      );
      const there = new Set(begun.parts);
      let done = places.reduce((sum, { length }, part) => sum + (there.has(part) ? length : 0), 0);
      onProgress(done, layout.length);
      for (const [part, place] of places.entries()) {
        if (there.has(part)) continue;
        const digest = digests[part] ?? new Uint8Array();
        await patience.run(() => putPart(api, { id, part, digest, spool, place, signal, patience }));
        patience.progress();
        done += place.length;
        onProgress(done, layout.length);
      }
      const stored = await patience.run(() => api.call('completeBlob', { params: { id }, signal }));
      if (stored.size !== layout.length) throw new RelayUnreachable('relay_wrong_answer');
      return;
    } catch (error) {
      // The relay has lost parts or all of it: it may have been restored from a backup.
      const isLost = failedWith(error, 'blob_incomplete', 'not_found');
      if (!isLost || round === MAX_ROUNDS) throw error;
    }
  }
}

interface Part {
  id: string;
  part: number;
  digest: Uint8Array;
  spool: string;
  place: Range;
  signal: AbortSignal | undefined;
  patience: Patience;
}

function putPart(api: RelayApi, { id, part, digest, spool, place, signal, patience }: Part): Promise<void> {
  const headers = {
    'content-digest': contentDigest(digest),
    'content-length': String(place.length),
  };
  // A relay that reads a little from time to time is alive, but too slow.
  const makeBody = (alive: () => void) =>
    readPlace(spool, place, () => {
      patience.requireTime();
      alive();
    });
  return api.octets(
    'putBlobPart',
    { params: { id, part: String(part) }, headers, makeBody, signal, stall: STALL },
    async (response) => {
      await response.body?.cancel();
    },
  );
}

/** @param onPiece called whenever bytes are sent */
async function* readPlace(
  spool: string,
  { offset, length }: Range,
  onPiece: () => void,
): AsyncGenerator<Uint8Array> {
  const stream = createReadStream(spool, {
    start: offset,
    end: offset + length - 1,
    highWaterMark: READ_BYTES,
  });
  for await (const piece of stream) {
    onPiece();
    yield piece as Buffer;
  }
}
