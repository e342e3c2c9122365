/** Calls for saving files, and for opening them in other programs. */
import { writeFile } from 'node:fs/promises';
import { describe } from '../base/error-facts.ts';
import { Failure, failureFrom } from '../base/failure.ts';
import { log } from '../base/log.ts';
import type { Input } from '../bridge/contract.ts';
import type { Answer } from '../bridge/failure.ts';
import { OpenedFiles } from './opened-files.ts';
import type { Session } from './session.ts';

/** Abilities of a desktop for files. */
export interface FileDesktop {
  platform: string;
  /** Asks for a place to save a file of this name; null if the person cancels. */
  askForPlace(name: string): Promise<string | null>;
  /** Opens a file in the program of the system. @throws Error if there is none */
  open(path: string): Promise<void>;
}

export function fileCalls(
  session: Pick<Session, 'files' | 'folder' | 'isOpen' | 'onEvent'>,
  desktop: FileDesktop | undefined,
) {
  // At start, so that no plain copy of the last run stays.
  const opened = desktop && new OpenedFiles(session.folder);
  session.onEvent((name) => {
    if (name === 'lock.changed' && !session.isOpen) opened?.clear();
  });
  const parts = () => {
    if (!desktop || !opened) throw new Failure('files_in_desktop_only');
    const { files } = session;
    if (!files) throw new Failure('locked');
    /** @throws Failure locked if the data was closed meanwhile: the copies were removed, and an ending engine may still write one */
    const requireOpen = () => {
      if (session.files !== files) throw new Failure('locked');
    };
    return { desktop, files, opened, requireOpen };
  };
  return {
    'files.save': async (place: Input<'files.save'>) => {
      const { desktop: system, files, requireOpen } = parts();
      const { name } = unwrap(await files.describeFile(place));
      const path = await system.askForPlace(name);
      if (path === null) return { isSaved: false };
      requireOpen();
      unwrap(await files.exportFile(place, path));
      await markAsForeign(path, system.platform);
      return { isSaved: true };
    },
    'files.launch': async (place: Input<'files.launch'>) => {
      const { desktop: system, files, opened: copies, requireOpen } = parts();
      const { name, isProgram } = unwrap(await files.describeFile(place));
      if (isProgram) throw new Failure('file_is_program');
      requireOpen();
      const path = copies.pathFor(name);
      try {
        unwrap(await files.exportFile(place, path));
        await markAsForeign(path, system.platform);
        requireOpen();
      } catch (error) {
        copies.remove(path);
        throw error;
      }
      try {
        await system.open(path);
      } catch (error) {
        log('warn', 'file.not_opened', describe(error));
        throw new Failure('file_not_opened');
      }
      return {};
    },
  };
}

function unwrap<T>(answer: Answer<T>): T {
  if (!answer.ok) throw failureFrom(answer.failure);
  return answer.value;
}

/**
 * Marks a file as one from the internet, so that Windows asks before it runs. macOS does this by itself for an app with
 * LSFileQuarantineEnabled (electron-builder.yml); Linux has no such mark.
 */
async function markAsForeign(path: string, platform: string): Promise<void> {
  if (platform !== 'win32') return;
  try {
    await writeFile(`${path}:Zone.Identifier`, '[ZoneTransfer]\r\nZoneId=3\r\n');
  } catch (error) {
    // A file system without streams, such as FAT.
    log('info', 'file.not_marked', describe(error));
  }
}
