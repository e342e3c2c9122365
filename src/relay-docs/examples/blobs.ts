/**
 * Examples of blobs: a file of 3,000 bytes, sealed under a fixed key.
 */
import { contentDigest } from '../../protocol/blob/digest.ts';
import { PART_BYTES } from '../../protocol/blob/layout.ts';
import { BlobWriter } from '../../protocol/blob/stream.ts';
import type { Examples } from './example.ts';
import { fixedBytes } from './people.ts';

type Names = 'beginBlob' | 'putBlobPart' | 'completeBlob' | 'getBlob' | 'adoptBlob' | 'deleteBlob';

/** A day, and 45 days, after the other examples. */
const DAY_LATER = '2026-11-21T20:00:00.000Z';
const EXPIRY = '2027-01-04T20:00:00.000Z';
const SIZE = 3_000;

export function blobExamples(): Pick<Examples, Names> {
  const writer = new BlobWriter(fixedBytes(0x71), SIZE);
  writer.push(fixedBytes(0x20, SIZE));
  const [digest = new Uint8Array()] = writer.finish().parts;
  const size = writer.layout.length;
  const params = { id: writer.keys.id };
  return {
    beginBlob: [
      {
        title: 'A new one',
        status: 201,
        params,
        request: { size },
        response: { partBytes: PART_BYTES, parts: [], expiresAt: DAY_LATER },
      },
      {
        title: 'The same again, after its one part has come',
        status: 200,
        params,
        request: { size },
        response: { partBytes: PART_BYTES, parts: [0], expiresAt: DAY_LATER },
      },
    ],
    putBlobPart: [
      {
        title: 'The only part',
        status: 204,
        params: { ...params, part: '0' },
        headers: { 'content-digest': contentDigest(digest) },
      },
    ],
    completeBlob: [
      { title: 'All parts have come', status: 200, params, response: { size, expiresAt: EXPIRY } },
    ],
    getBlob: [
      { title: 'The whole blob', status: 200, params, headers: {} },
      { title: 'Its first kilobyte', status: 206, params, headers: { range: 'bytes=0-1023' } },
    ],
    adoptBlob: [
      { title: 'Before it is forwarded', status: 200, params, response: { size, expiresAt: EXPIRY } },
    ],
    deleteBlob: [{ title: 'No longer needed', status: 204, params }],
  };
}
