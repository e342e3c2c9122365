/** Saving files, and opening them in other programs. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { EventName } from '../../../src/bridge/contract.ts';
import type { FilePlace } from '../../../src/bridge/files.ts';
import { type FileDesktop, fileCalls } from '../../../src/host/file-calls.ts';
import { OPENED_FOR } from '../../../src/host/opened-files.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { FileChat } from '../../support/file-chat.ts';
import { sendFiles } from '../../support/files.ts';
import { TestRelay } from '../../support/relay.ts';

/** A desktop that saves at one place. */
class Desktop implements FileDesktop {
  platform = 'linux';
  place: string | null = null;
  hasProgram = true;
  readonly opened: string[] = [];

  askForPlace = async () => this.place;
  open = async (path: string) => {
    this.opened.push(path);
    if (!this.hasProgram) throw new Error('no program');
  };
}

test('C8, V7, V8: files are saved where the person chose, and opened as private copies unless they are programs', async () => {
  await using relay = await new TestRelay().start();
  await using people = await FileChat.start(relay.url);
  const { ann, chat } = people;
  using folder = temporaryFolder();
  const desktop = new Desktop();
  const left = join(folder.path, 'opened', 'earlier');
  mkdirSync(left, { recursive: true });
  let onLock: (name: EventName, payload: unknown) => void = () => undefined;
  const session = {
    files: ann.handle,
    folder: folder.path,
    isOpen: true,
    onEvent(listener: typeof onLock) {
      onLock = listener;
      return () => undefined;
    },
  };
  const calls = fileCalls(session, desktop);
  // Copies of the last run.
  expect(existsSync(left)).toBe(false);

  const bytes = Buffer.from('%PDF-1.7 the report');
  const long = `${'n'.repeat(251)}.pdf`;
  const files = [
    { bytes, name: long, mediaType: 'application/pdf' },
    { bytes: Buffer.from('echo'), name: 'photo.png.sh', mediaType: 'image/png' },
    { bytes: Buffer.from('MZ\u0090\u0000program'), name: 'photo.png', mediaType: 'image/png' },
  ];
  const { id: messageId } = await sendFiles(ann, chat, files);
  const place = (index: number) => ({ messageId, index });

  expect(await calls['files.save'](place(0))).toEqual({ isSaved: false });
  const saved = join(folder.path, long);
  // A file of the person that an unfinished copy might have replaced.
  writeFileSync(join(folder.path, 'report.pdf.partial'), 'mine');
  desktop.place = saved;
  expect(await calls['files.save'](place(0))).toEqual({ isSaved: true });
  expect(readFileSync(saved).equals(bytes)).toBe(true);
  expect(statSync(saved).mode & 0o777).toBe(0o600);
  desktop.place = join(folder.path, 'report.pdf');
  desktop.platform = 'win32';
  expect(await calls['files.save'](place(0))).toEqual({ isSaved: true });
  const mark = readFileSync(`${desktop.place}:Zone.Identifier`, 'utf8');
  expect(mark).toBe('[ZoneTransfer]\r\nZoneId=3\r\n');
  desktop.platform = 'linux';
  expect(readFileSync(join(folder.path, 'report.pdf.partial'), 'utf8')).toBe('mine');

  for (const wrong of [join(folder.path, 'no', 'folder'), folder.path, join(saved, 'below')]) {
    desktop.place = wrong;
    await expect(calls['files.save'](place(0))).rejects.toMatchObject({ code: 'file_unsaved' });
  }
  expect(readdirSync(folder.path).filter((name) => name.startsWith('.waxwing'))).toEqual([]);

  expect(await calls['files.launch'](place(0))).toEqual({});
  const [copy = ''] = desktop.opened;
  expect(readFileSync(copy).equals(bytes)).toBe(true);
  expect(statSync(dirname(copy)).mode & 0o777).toBe(0o700);
  for (const index of [1, 2]) {
    await expect(calls['files.launch'](place(index))).rejects.toMatchObject({ code: 'file_is_program' });
  }
  expect(desktop.opened).toHaveLength(1);
  desktop.hasProgram = false;
  await expect(calls['files.launch'](place(0))).rejects.toMatchObject({ code: 'file_not_opened' });
  await expect(calls['files.save'](place(3))).rejects.toMatchObject({ code: 'file_missing' });

  desktop.hasProgram = true;
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  await calls['files.launch'](place(0));
  const [, , timed = ''] = desktop.opened;
  vi.advanceTimersByTime(OPENED_FOR - 1);
  expect(existsSync(timed)).toBe(true);
  vi.advanceTimersByTime(1);
  vi.useRealTimers();
  expect(existsSync(timed)).toBe(false);
  expect(existsSync(copy)).toBe(true);
  onLock('lock.changed', {});
  expect(existsSync(copy)).toBe(true);
  session.isOpen = false;
  onLock('lock.changed', {});
  expect(existsSync(copy)).toBe(false);

  const locked = fileCalls({ ...session, files: null }, desktop);
  await expect(locked['files.save'](place(0))).rejects.toMatchObject({ code: 'locked' });
  const browser = fileCalls(session, undefined);
  await expect(browser['files.save'](place(0))).rejects.toMatchObject({ code: 'files_in_desktop_only' });
});

test.each(['describeFile', 'exportFile'] as const)(
  'C16: a lock during %s leaves no plain copy, and opens nothing',
  async (step) => {
    using folder = temporaryFolder();
    const desktop = new Desktop();
    let onEvent: (name: EventName, payload: unknown) => void = () => undefined;
    const lock = () => {
      session.isOpen = false;
      session.files = null;
      onEvent('lock.changed', {});
    };
    const files = {
      async describeFile() {
        if (step === 'describeFile') lock();
        return { ok: true, value: { name: 'report.pdf', isProgram: false } } as const;
      },
      // The engine's thread ends after its last calls.
      async exportFile(_place: FilePlace, path: string) {
        if (step === 'exportFile') lock();
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, 'the report');
        return { ok: true, value: null } as const;
      },
    };
    const session = {
      files: files as typeof files | null,
      folder: folder.path,
      isOpen: true,
      onEvent(listener: typeof onEvent) {
        onEvent = listener;
        return () => undefined;
      },
    };
    const calls = fileCalls(session as unknown as Parameters<typeof fileCalls>[0], desktop);
    await expect(calls['files.launch']({ messageId: '1', index: 0 })).rejects.toMatchObject({
      code: 'locked',
    });
    expect(desktop.opened).toEqual([]);
    expect(existsSync(join(folder.path, 'opened')) ? readdirSync(join(folder.path, 'opened')) : []).toEqual(
      [],
    );
  },
);

test('C16: a lock while the dialog for a place is open saves nothing', async () => {
  using folder = temporaryFolder();
  const desktop = new Desktop();
  desktop.place = join(folder.path, 'report.pdf');
  const exported: string[] = [];
  const files = {
    describeFile: async () => ({ ok: true, value: { name: 'report.pdf', isProgram: false } }),
    async exportFile(_place: FilePlace, path: string) {
      exported.push(path);
      return { ok: true, value: null };
    },
  };
  const session = {
    files: files as unknown,
    folder: folder.path,
    isOpen: true,
    onEvent: () => () => undefined,
  };
  const calls = fileCalls(session as unknown as Parameters<typeof fileCalls>[0], {
    ...desktop,
    askForPlace: async () => {
      session.files = null;
      return desktop.place;
    },
  });
  await expect(calls['files.save']({ messageId: '1', index: 0 })).rejects.toMatchObject({ code: 'locked' });
  expect(exported).toEqual([]);
});
