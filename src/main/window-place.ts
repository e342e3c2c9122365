/** Size and place of the window, stored across starts and checked against the current displays. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserWindow, BrowserWindowConstructorOptions, Rectangle } from 'electron';
import { z } from 'zod';
import { describe } from '../base/error-facts.ts';
import { log } from '../base/log.ts';
import { writeDurably } from '../base/node/durable-file.ts';
import type { ElectronParts } from './electron.ts';

/** In device-independent pixels, as everything here. */
export const SMALLEST = { width: 360, height: 480 };
/** Default size, if the display is large enough. */
const FIRST = { width: 1200, height: 800 };
/** Delay after the last change, in milliseconds: dragging a window changes its place many times a second. */
const SETTLES = 1_000;

/** Limits for any arrangement of displays. */
const Coordinate = z.int().min(-100_000).max(100_000);
const Place = z.object({
  bounds: z.object({
    x: Coordinate,
    y: Coordinate,
    width: z.int().min(SMALLEST.width).max(100_000),
    height: z.int().min(SMALLEST.height).max(100_000),
  }),
  isMaximized: z.boolean(),
});
type Place = z.infer<typeof Place>;

export class WindowPlace {
  readonly #file: string;
  readonly #screen: ElectronParts['screen'];
  readonly #before: Place | null;

  /** @param folder of the data. A missing or unreadable file counts as none. */
  constructor(folder: string, screen: ElectronParts['screen']) {
    this.#file = join(folder, 'window.json');
    this.#screen = screen;
    this.#before = this.#read();
  }

  /** Without coordinates the system chooses the place. */
  options(): Pick<BrowserWindowConstructorOptions, 'x' | 'y' | 'width' | 'height'> {
    const areas = this.#screen.getAllDisplays().map(({ workArea }) => workArea);
    return fitted(this.#before?.bounds ?? null, areas, this.#screen.getPrimaryDisplay().workArea);
  }

  /**
   * Stores each change of the window.
   * @returns the function that stops it
   */
  follow(window: BrowserWindow): () => void {
    let timer: NodeJS.Timeout | undefined;
    let isYetToMaximize = this.#before?.isMaximized ?? false;
    const save = () => {
      clearTimeout(timer);
      if (!window.isDestroyed()) this.#write(window, isYetToMaximize || window.isMaximized());
    };
    const note = () => {
      clearTimeout(timer);
      timer = setTimeout(save, SETTLES);
    };
    window.on('resize', note);
    window.on('move', note);
    window.on('maximize', note);
    window.on('unmaximize', note);
    window.on('close', save);
    // Maximizing a window shows it.
    window.once('show', () => {
      if (isYetToMaximize) window.maximize();
      isYetToMaximize = false;
    });
    return () => clearTimeout(timer);
  }

  #read(): Place | null {
    try {
      return Place.parse(JSON.parse(readFileSync(this.#file, 'utf8')));
    } catch {
      return null;
    }
  }

  /** A hidden, minimized or full-screen window is stored with its previous place. */
  #write(window: BrowserWindow, isMaximized: boolean): void {
    const place: Place = { bounds: window.getNormalBounds(), isMaximized };
    try {
      writeDurably(this.#file, JSON.stringify(place));
    } catch (error) {
      log('warn', 'window.unsaved', describe(error));
    }
  }
}

/**
 * A fully visible size and place.
 * @param before null at the first start
 * @param areas usable area of each display, without panels and docks
 * @param primary for a first window, and for one whose display is gone
 */
export function fitted(
  before: Rectangle | null,
  areas: readonly Rectangle[],
  primary: Rectangle,
): Partial<Rectangle> & Pick<Rectangle, 'width' | 'height'> {
  const area = before && areas.toSorted((one, other) => overlap(other, before) - overlap(one, before))[0];
  if (!before || !area || overlap(area, before) === 0) return sizeIn(primary, before ?? FIRST);
  const size = sizeIn(area, before);
  return {
    ...size,
    x: clamped(before.x, area.x, area.x + area.width - size.width),
    y: clamped(before.y, area.y, area.y + area.height - size.height),
  };
}

const sizeIn = (area: Rectangle, { width, height }: Pick<Rectangle, 'width' | 'height'>) => ({
  width: Math.max(SMALLEST.width, Math.min(width, area.width)),
  height: Math.max(SMALLEST.height, Math.min(height, area.height)),
});

/** On a display smaller than the window, its beginning is visible. */
const clamped = (value: number, least: number, most: number) => Math.max(least, Math.min(value, most));

/** Area in square pixels. */
function overlap(one: Rectangle, other: Rectangle): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, width) * Math.max(0, height);
}
