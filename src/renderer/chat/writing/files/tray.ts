/**
 * Files to be sent, by conversation. Kept in memory: they stay when the chat is left, and are gone when the page is
 * loaded again.
 */
import { useSyncExternalStore } from 'react';
import type { FileType } from '../../../../bridge/files.ts';
import type { Message } from '../../../../bridge/shapes.ts';
import type { PictureHead } from '../../files/picture-head.ts';
import type { Written } from '../written.ts';

export interface TrayFile {
  key: string;
  file: File;
  type: FileType;
  /** False until it is known to be a picture or not. */
  isRecognized: boolean;
  /** Null if it is not sent as a picture. */
  picture: PictureHead | null;
  /** Address of a small version. */
  preview: string | null;
  alt: string;
  /** True if a picture is sent unchanged. */
  asFile: boolean;
  /** Milliseconds of a recorded voice message; null for other files. */
  recordedMs: number | null;
  /** A sentence; null without a problem. */
  problem: string | null;
}

export interface Caption {
  written: Written;
  replyTo: Message | null;
}

export interface Tray {
  files: readonly TrayFile[];
  /** A sentence about files that were not added. */
  notice: string;
  /** Files on their way to the engine. */
  sending: { done: number; total: number } | null;
  /** A caption that was not sent, for the field, with the message that it answers. */
  returned: Caption | null;
}

const EMPTY: Tray = { files: [], notice: '', sending: null, returned: null };

const trays = new Map<string, Tray>();
const listeners = new Set<() => void>();
/** The running job of a conversation. */
const jobs = new Map<string, AbortController>();

export function trayOf(conversationId: string): Tray {
  return trays.get(conversationId) ?? EMPTY;
}

export function changeTray(conversationId: string, part: Partial<Tray>): void {
  trays.set(conversationId, { ...trayOf(conversationId), ...part });
  for (const listener of listeners) listener();
}

export function changeFile(conversationId: string, key: string, part: Partial<TrayFile>): void {
  const { files } = trayOf(conversationId);
  changeTray(conversationId, {
    files: files.map((each) => (each.key === key ? { ...each, ...part } : each)),
  });
}

/** Removes files, and the memory of their previews. */
export function removeFiles(conversationId: string, keys: readonly string[]): void {
  const { files } = trayOf(conversationId);
  for (const { key, preview } of files) {
    if (preview !== null && keys.includes(key)) URL.revokeObjectURL(preview);
  }
  changeTray(conversationId, { files: files.filter(({ key }) => !keys.includes(key)), notice: '' });
}

export function startJob(conversationId: string): AbortSignal {
  const job = new AbortController();
  jobs.set(conversationId, job);
  return job.signal;
}
/** @param reason `forgotten` if nothing returns to the tray */
export function stopJob(conversationId: string, reason: 'canceled' | 'forgotten' = 'canceled'): void {
  jobs.get(conversationId)?.abort(reason);
  jobs.delete(conversationId);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useTray(conversationId: string): Tray {
  return useSyncExternalStore(subscribe, () => trayOf(conversationId));
}

/** Forgets all files. What was shown before the lock does not stay in the page's memory. */
export function forgetTrays(): void {
  for (const [id, { files }] of trays) {
    stopJob(id, 'forgotten');
    for (const { preview } of files) if (preview !== null) URL.revokeObjectURL(preview);
  }
  trays.clear();
}
