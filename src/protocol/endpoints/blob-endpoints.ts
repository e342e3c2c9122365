/** Sealed files. */

import * as blobs from '../schemas/blobs.ts';
import type { Endpoint } from './endpoint.ts';

export const BLOB_ENDPOINTS = {
  beginBlob: {
    method: 'PUT',
    path: '/blobs/:id',
    access: 'blobs',
    summary:
      'Starts the upload of a sealed file, or returns its progress. Unfinished uploads expire after a day. 201: new. 200: started before.',
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
      'Uploads one part of `partBytes` bytes; the last part may be shorter. Time limit: five minutes. Idempotent.',
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
    summary: 'Completes an upload. The blob is then available for 45 days. Idempotent.',
    params: blobs.BlobParams,
    response: blobs.StoredBlob,
    repeatsNothing: true,
    statuses: [200],
    problems: ['not_found', 'blob_conflict', 'blob_incomplete'],
  },
  getBlob: {
    method: 'GET',
    path: '/blobs/:id',
    access: 'blobs',
    summary:
      'Returns a completed blob, or one range of it, to anyone who knows its id. A blob never changes. HEAD returns no bytes.',
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
    summary: 'Keeps a completed blob for 45 more days, and counts it towards the quota of the caller.',
    params: blobs.BlobParams,
    response: blobs.StoredBlob,
    repeatsNothing: true,
    statuses: [200],
    problems: ['not_found', 'blob_quota'],
  },
  deleteBlob: {
    method: 'DELETE',
    path: '/blobs/:id',
    access: 'blobs',
    summary:
      'Removes the caller’s claim to a blob, completed or not. The blob is deleted with its last claim. Idempotent.',
    params: blobs.BlobParams,
    statuses: [204],
    problems: [],
  },
} as const satisfies Record<string, Endpoint>;
