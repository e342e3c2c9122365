/** Sealed files. */

import * as blobs from '../schemas/blobs.ts';
import type { Endpoint } from './endpoint.ts';

export const BLOB_ENDPOINTS = {
  beginBlob: {
    method: 'PUT',
    path: '/blobs/:id',
    access: 'blobs',
    summary:
      'Begins to upload a sealed file, or tells how far the upload is. It is to be finished within a day. 201 for one that is new, 200 again.',
    params: blobs.BlobParams,
    request: blobs.BlobRequest,
    response: blobs.BlobUpload,
    statuses: [201, 200],
    problems: ['blob_conflict', 'blob_quota'],
  },
  putBlobPart: {
    method: 'PUT',
    path: '/blobs/:id/parts/:part',
    access: 'blobs',
    summary:
      'Uploads one part: as many bytes as `partBytes` says, the last part the rest, within five minutes. The same again changes nothing.',
    params: blobs.BlobPartParams,
    headers: blobs.BlobPartHeaders,
    octets: 'request',
    statuses: [204],
    problems: ['not_found', 'blob_conflict', 'plaintext_rejected'],
  },
  completeBlob: {
    method: 'POST',
    path: '/blobs/:id/complete',
    access: 'blobs',
    summary:
      'Finishes an upload. From then on the blob can be read, for 45 days. The same again changes nothing.',
    params: blobs.BlobParams,
    response: blobs.StoredBlob,
    statuses: [200],
    problems: ['not_found', 'blob_conflict', 'blob_incomplete'],
  },
  getBlob: {
    method: 'GET',
    path: '/blobs/:id',
    access: 'blobs',
    summary:
      'A finished blob, or one range of it. Anyone who knows its id may read it. It never changes. HEAD is answered without the bytes.',
    params: blobs.BlobParams,
    headers: blobs.BlobReadHeaders,
    octets: 'response',
    head: true,
    statuses: [200, 206],
    problems: ['not_found', 'range_unsatisfiable'],
  },
  adoptBlob: {
    method: 'POST',
    path: '/blobs/:id/adopt',
    access: 'blobs',
    summary:
      'Keeps a finished blob for the caller, too: for 45 days from now, and counted for the caller’s account.',
    params: blobs.BlobParams,
    response: blobs.StoredBlob,
    statuses: [200],
    problems: ['not_found', 'blob_quota'],
  },
  deleteBlob: {
    method: 'DELETE',
    path: '/blobs/:id',
    access: 'blobs',
    summary:
      'Drops the caller’s claim to a blob, finished or not. The blob is gone with its last claim. Nothing is done if there is none.',
    params: blobs.BlobParams,
    statuses: [204],
    problems: [],
  },
} as const satisfies Record<string, Endpoint>;
