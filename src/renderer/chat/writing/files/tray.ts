/**
 * Files to be sent, by conversation. Kept in memory: they stay when the chat is left, and are gone when the page is
 * loaded again.
 */
import { useSyncExternalStore } from 'react';
import type { FileType } from '../../../../bridge/files.ts';
import type { Message } from '../../../../bridge/shapes/message.ts';
import type { PictureHead } from '../../../shared/pictures/picture-head.ts';
import { t } from '../../../words.tsx';
import type { Written } from '../written.ts';

export interface TrayFile {
  key: string;
  file: File;
  type: FileType;
  /** False until it is known to be a picture or not. */
  isRecognized: boolean;
  /** Null if it is not sent as a picture. */
  picture: PictureHead | null;
  /** A film, a sound, or a picture that is sent as a file: its bytes without metadata. Null if it can only be sent unchanged. */
  clean: Blob | null;
  /** True for a file that may have a place and a camera in it, and is no picture here. */
  hasMetadata: boolean;
  /** Address of a small version. */
  preview: string | null;
  alt: string;
  /** True if the file is sent unchanged, a picture as a file. */
  asFile: boolean;
  /** Milliseconds of a recorded voice message; null for other files. */
  recordedMs: number | null;
  /** Limit of a file when it was added, in bytes. */
  most: number;
  /** A sentence; null without a problem. */
  problem: string | null;
}

export interface Caption {
  written: Written;
  replyTo: Message | null;
}

export interface Tray {
  files: readonly TrayFile[];
  /** A sentence about files that were not added or not sent. */
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
  notify();
}

function notify(): void {
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

/** Moves a file to another place. @param to from 0; the nearest place if there is none */
export function moveFile(conversationId: string, key: string, to: number): void {
  const { files } = trayOf(conversationId);
  const from = files.findIndex((each) => each.key === key);
  const place = Math.min(files.length - 1, Math.max(0, to));
  const moved = files[from];
  if (!moved || place === from) return;
  changeTray(conversationId, { files: files.toSpliced(from, 1).toSpliced(place, 0, moved) });
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

const isRecording = ({ recordedMs }: TrayFile) => recordedMs !== null;

/** Reports whether closing the page would lose files on their way to the engine, or a recording. */
export function useHasUnsent(): boolean {
  return useSyncExternalStore(subscribe, () =>
    [...trays.values()].some(({ files, sending }) => sending !== null || files.some(isRecording)),
  );
}

/**
 * Forgets all files, and leaves a sentence about those that were not sent. Content from before the lock does not remain
 * in the page's memory.
 */
export function forgetTrays(): void {
  const before = [...trays];
  trays.clear();
  for (const [id, { files }] of before) {
    stopJob(id, 'forgotten');
    for (const { preview } of files) if (preview !== null) URL.revokeObjectURL(preview);
    if (files.length === 0) continue;
    changeTray(id, { notice: t(files.some(isRecording) ? 'files.recordingLocked' : 'files.filesLocked') });
  }
  notify();
}
