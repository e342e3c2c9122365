/**
 * Backups on their way to and from a page without dialogs for files: one download and one upload, encrypted files in a folder
 * of the data. A download is removed at the next start. An upload stays for a restore that continues after a restart.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../base/failure.ts';
import { isDiskFull } from '../base/node/disk-full.ts';
import { writeAll } from '../base/node/write-all.ts';
import { FILES_PATH } from '../bridge/file-bounds.ts';
import { answerOf } from '../engine/answer.ts';
import type { FileAccess, FileBytes } from '../engine/start.ts';

/** Age from which an upload is removed at a start, in milliseconds. */
const UPLOAD_FOR = 7 * 24 * 3_600_000;
const MAX_READ_BYTES = 1024 * 1024;

interface Download {
  address: string;
  name: string;
  size: number;
}

interface Upload {
  address: string;
  size: number;
  written: number;
}

export class BackupTransfers {
  readonly #folder: string;
  #download: Download | null = null;
  #upload: Upload | null = null;

  /** @param folder the data folder */
  constructor(folder: string) {
    this.#folder = join(folder, 'backup-transfers');
    rmSync(this.#downloadPath, { force: true });
    const changedAt = statSync(this.#uploadPath, { throwIfNoEntry: false })?.mtimeMs;
    if (changedAt !== undefined && Math.abs(Date.now() - changedAt) > UPLOAD_FOR)
      rmSync(this.#uploadPath, { force: true });
  }

  get #downloadPath(): string {
    return join(this.#folder, 'download');
  }

  get #uploadPath(): string {
    return join(this.#folder, 'upload');
  }

  /** The path for a backup to download. The one before is removed. */
  newDownload(): string {
    this.#download = null;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    rmSync(this.#downloadPath, { force: true });
    return this.#downloadPath;
  }

  /** Makes a complete backup readable. @returns path for the page */
  async offer(name: string): Promise<string> {
    const { size } = await stat(this.#downloadPath);
    this.#download = { address: newAddress(), name, size };
    return `${FILES_PATH}${this.#download.address}`;
  }

  /** Begins an upload in place of the one before. @returns path for the page */
  async newUpload(size: number): Promise<string> {
    await this.removeUpload();
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    this.#upload = { address: newAddress(), size, written: 0 };
    return `${FILES_PATH}${this.#upload.address}`;
  }

  /** Path of the uploaded backup; null before its end. */
  uploaded(): string | null {
    return this.#upload && this.#upload.written === this.#upload.size ? this.#uploadPath : null;
  }

  async removeUpload(): Promise<void> {
    this.#upload = null;
    await rm(this.#uploadPath, { force: true });
  }

  /** Access to the bytes of other files, and of these backups. */
  with(files: FileAccess): FileAccess {
    return {
      describeFile: (place) => files.describeFile(place),
      exportFile: (place, target) => files.exportFile(place, target),
      readFile: (address, offset, length) => {
        const download = this.#download;
        if (download?.address !== address) return files.readFile(address, offset, length);
        return answerOf(() => this.#read(download, offset, length));
      },
      writeFile: (address, offset, bytes) => {
        const upload = this.#upload;
        if (upload?.address !== address) return files.writeFile(address, offset, bytes);
        return answerOf(() => this.#write(upload, offset, bytes));
      },
    };
  }

  async #read({ name, size }: Download, offset: number, length: number): Promise<FileBytes> {
    const handle = await open(this.#downloadPath, 'r').catch(() => {
      throw new Failure('file_missing');
    });
    try {
      const bytes = new Uint8Array(Math.max(0, Math.min(length, MAX_READ_BYTES, size - offset)));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, offset);
      return { bytes: bytes.subarray(0, bytesRead), size, mediaType: 'application/octet-stream', name };
    } finally {
      await handle.close();
    }
  }

  /** @throws Failure file_changed for bytes that are not the next ones */
  async #write(upload: Upload, offset: number, bytes: Uint8Array): Promise<null> {
    if (offset !== upload.written || offset + bytes.length > upload.size) throw new Failure('file_changed');
    try {
      await this.#writeAt(offset, bytes);
    } catch (error) {
      // Messages could not be stored either.
      if (isDiskFull(error)) await this.removeUpload();
      throw error;
    }
    upload.written = offset + bytes.length;
    return null;
  }

  async #writeAt(offset: number, bytes: Uint8Array): Promise<void> {
    const handle = await open(this.#uploadPath, offset === 0 ? 'w' : 'r+', 0o600);
    try {
      await writeAll(handle, bytes, offset);
    } finally {
      await handle.close();
    }
  }
}

const newAddress = () => randomBytes(16).toString('base64url');
