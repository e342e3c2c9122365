/** The player of voice messages and sounds, which continues without their rows. */
import { AUTOMATIC_BYTES } from '../../../../bridge/file-bounds.ts';
import type { Message } from '../../../../bridge/shapes/message.ts';
import { callBridge } from '../../../bridge.ts';
import { showFailure } from '../../../design/toasts.tsx';
import { pauseSound, playAlone } from '../../../shared/one-sound.ts';
import { t } from '../../../words.tsx';
import { type FileOf, isHere, isPlayable, placeOf } from '../use-file.ts';

const SPEEDS = [1, 1.5, 2];
/** The chosen speed, on this computer. */
const CHOSEN = 'waxwing.voice-speed';
/** Limit of tracks whose place is kept. */
const MAX_TRACKS = 200;
/** Messages looked through for the next one: lines of events and deleted messages may be between. */
const LOOK_AHEAD = 10;
/** Files in a row that cannot be played, after which playing ends: the next ones would be downloaded, too. */
const MAX_UNPLAYABLE = 3;

/** A file that was played or sought. Times are in seconds. */
export interface Track {
  isPlaying: boolean;
  at: number;
  /** 0 until known. */
  length: number;
  /** True if the browser cannot play it. */
  isBroken: boolean;
}

/** The loaded file. */
export interface Loaded {
  of: FileOf;
  /** The file that the person played; the voice messages after it follow by themselves. */
  chosen: FileOf;
  /** Number of the files before it that could not be played, since the last one that ended. */
  unplayable: number;
  track: Track;
  /** True if its row is in view. */
  isInView: boolean;
}

type TrackKey = `${string}/${number}`;
export const keyOf = ({ message, index }: Pick<FileOf, 'message' | 'index'>): TrackKey =>
  `${message.id}/${index}`;

export class Player {
  readonly #audio = new Audio();
  readonly #listeners = new Set<() => void>();
  readonly #tracks = new Map<TrackKey, Track>();
  #loaded: Loaded | null = null;
  #speed = chosenSpeed();

  constructor() {
    const audio = this.#audio;
    const on = (name: keyof HTMLMediaElementEventMap, act: (of: FileOf) => void) =>
      audio.addEventListener(name, () => this.#loaded && act(this.#loaded.of));
    on('play', (of) => {
      playAlone(audio);
      this.#change(of, { isPlaying: true });
    });
    on('pause', (of) => this.#change(of, { isPlaying: false }));
    on('timeupdate', (of) => this.#change(of, { at: audio.currentTime }));
    on('durationchange', (of) => {
      // A recording may lack its length, or state the one from its beginning.
      const length = Math.max(this.#trackOf(of).length, audio.duration);
      if (Number.isFinite(length)) this.#change(of, { length });
    });
    on('error', (of) => {
      const { chosen, unplayable = 0 } = this.#loaded ?? {};
      // Reading a file that is being downloaded fails with its download, too.
      this.#change(of, { isBroken: isHere(of.file), isPlaying: false, at: 0 });
      if (chosen !== of && unplayable + 1 < MAX_UNPLAYABLE) void this.#continueAfter(of, unplayable + 1);
      else this.close();
    });
    on('ended', (of) => void this.#continueAfter(of, 0));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly loaded = (): Loaded | null => this.#loaded;
  readonly speed = (): number => this.#speed;
  /** Undefined for a file that was never played. */
  track(key: TrackKey): Track | undefined {
    return this.#tracks.get(key);
  }

  /** Plays a file from its place, or pauses it. One that is not here is downloaded, and plays while it arrives. */
  toggle(of: FileOf): void {
    if (!this.#isLoaded(of)) void this.#play(of).catch((error) => this.#fail(of, error));
    else if (this.#audio.paused) this.#start();
    else this.#audio.pause();
  }

  seek(of: FileOf, at: number): void {
    if (this.#isLoaded(of)) this.#audio.currentTime = at;
    this.#change(of, { at });
  }

  nextSpeed(): void {
    this.#speed = SPEEDS[(SPEEDS.indexOf(this.#speed) + 1) % SPEEDS.length] ?? 1;
    localStorage.setItem(CHOSEN, String(this.#speed));
    this.#audio.playbackRate = this.#speed;
    this.#notify();
  }

  setInView(of: FileOf, isInView: boolean): void {
    if (!this.#loaded || !this.#isLoaded(of) || this.#loaded.isInView === isInView) return;
    this.#loaded = { ...this.#loaded, isInView };
    this.#notify();
  }

  /** Stops, and forgets the bytes. */
  close(): void {
    const before = this.#loaded;
    this.#loaded = null;
    this.#audio.pause();
    this.#audio.removeAttribute('src');
    this.#audio.load();
    if (before) this.#change(before.of, { isPlaying: false });
  }

  /** Stops if the loaded file is gone: its message was erased, or it was removed from the disk. */
  async check(): Promise<void> {
    if (!this.#loaded) return;
    const { message, index } = this.#loaded.of;
    const { conversationId, id } = message;
    // Refused for an erased message.
    const page = await callBridge('messages.list', { conversationId, around: id, limit: 1 }).catch(
      () => null,
    );
    const file = page?.messages.find((each) => each.id === id)?.files[index];
    if (this.#loaded?.of.message.id === id && !(file && isPlayable(file))) this.close();
  }

  async #play(of: FileOf, chosen = of, unplayable = 0): Promise<void> {
    this.close();
    const track = this.#trackOf(of);
    this.#loaded = { of, chosen, unplayable, track, isInView: isRendered(of.message) };
    this.#notify();
    pauseSound();
    if (of.file.state === 'remote') await callBridge('files.download', placeOf(of));
    const { path } = await callBridge('files.open', placeOf(of));
    if (this.#loaded?.of !== of) return;
    this.#audio.src = path;
    this.#audio.currentTime = track.at;
    this.#start();
  }

  #start(): void {
    this.#audio.playbackRate = this.#speed;
    // Refused if it is closed or replaced meanwhile; what cannot be played is an event.
    this.#audio.play().catch(() => undefined);
  }

  #fail(of: FileOf, error: Error): void {
    // Closed meanwhile, or another one plays.
    if (this.#loaded?.of !== of) return;
    this.close();
    showFailure(error, t('action.playFile'));
  }

  /** Plays the voice message that follows one that has ended, or cannot be played. */
  async #continueAfter(of: FileOf, unplayable: number): Promise<void> {
    this.#change(of, { at: 0 });
    const chosen = this.#loaded?.chosen ?? of;
    const next = of.file.type === 'voice' ? await voiceAfter(of, chosen).catch(() => null) : null;
    // Another one was chosen, or this one again.
    if (!this.#isLoaded(of) || !(this.#audio.ended || this.#audio.error)) return;
    if (!next) this.close();
    else
      await this.#play(next, chosen, unplayable).catch(() => {
        if (this.#loaded?.of === next) this.close();
      });
  }

  #isLoaded(of: FileOf): boolean {
    return this.#loaded !== null && keyOf(this.#loaded.of) === keyOf(of);
  }

  #trackOf(of: FileOf): Track {
    return this.#tracks.get(keyOf(of)) ?? unplayed(of);
  }

  #change(of: FileOf, part: Partial<Track>): void {
    const key = keyOf(of);
    const track = { ...this.#trackOf(of), ...part };
    this.#tracks.delete(key);
    this.#tracks.set(key, track);
    const [oldest] = this.#tracks.keys();
    if (this.#tracks.size > MAX_TRACKS && oldest !== undefined) this.#tracks.delete(oldest);
    if (this.#loaded && this.#isLoaded(of)) this.#loaded = { ...this.#loaded, track };
    this.#notify();
  }

  #notify(): void {
    for (const each of this.#listeners) each();
  }
}

export function unplayed({ file }: FileOf): Track {
  return { isPlaying: false, at: 0, length: (file.durationMs ?? 0) / 1000, isBroken: false };
}

function chosenSpeed(): number {
  const chosen = Number(localStorage.getItem(CHOSEN));
  return SPEEDS.includes(chosen) ? chosen : 1;
}

const isRendered = ({ id }: Message) =>
  document.querySelector(`article[data-message="${CSS.escape(id)}"]`) !== null;

/** The voice message that follows: in the same message, or as the next message of the chat. Deleted ones are passed. */
async function voiceAfter({ message, index }: FileOf, chosen: FileOf): Promise<FileOf | null> {
  const own = voiceAt(message, index + 1, chosen);
  if (own || index + 1 < message.files.length) return own;
  const { conversationId, id } = message;
  const { messages } = await callBridge('messages.list', { conversationId, after: id, limit: LOOK_AHEAD });
  const next = messages.find(({ event, kind }) => event === null && kind !== 'deleted');
  return next ? voiceAt(next, 0, chosen) : null;
}

/**
 * Null if it is not to be played. One of another person is downloaded only if it is chosen itself, and so is a large one: its
 * sender decides on its length, and that it is a voice message.
 */
function voiceAt(message: Message, index: number, { message: { sender } }: FileOf): FileOf | null {
  const file = message.files[index];
  const isWanted = file?.state === 'remote' && message.sender === sender && file.size <= AUTOMATIC_BYTES;
  return file?.type === 'voice' && (isPlayable(file) || isWanted) ? { message, file, index } : null;
}
