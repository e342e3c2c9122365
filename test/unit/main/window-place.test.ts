import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fitted, WindowPlace } from '../../../src/main/window-place.ts';
import { ElectronDouble } from '../../support/electron/index.ts';
import { temporaryFolder } from '../../support/engine.ts';

const rectangle = (x: number, y: number, width: number, height: number) => ({ x, y, width, height });
/** Beside a panel at the bottom. */
const LAPTOP = rectangle(0, 0, 1366, 728);
const SECOND = rectangle(1366, 0, 1920, 1040);
const LEFT = rectangle(-1920, 0, 1920, 1040);

describe('the size and place of the window', () => {
  test('at the first start it fits a screen of 1366 × 768', () => {
    expect(fitted(null, [LAPTOP], LAPTOP)).toEqual({ width: 1200, height: 728 });
    expect(fitted(null, [SECOND, LAPTOP], SECOND)).toEqual({ width: 1200, height: 800 });
  });

  test.each([
    ['on the second display', rectangle(1500, 20, 900, 700)],
    ['to the left of the primary display', rectangle(-1900, 20, 900, 700)],
    ['at an edge', rectangle(466, 28, 900, 700)],
  ])('it is where it was: %s', (_where, bounds) => {
    expect(fitted(bounds, [LAPTOP, SECOND, LEFT], LAPTOP)).toEqual(bounds);
  });

  test('the system places it on the primary display if its own is missing', () => {
    expect(fitted(rectangle(1500, 20, 1800, 1000), [LAPTOP], LAPTOP)).toEqual({ width: 1366, height: 728 });
  });

  test('moves and shrinks a window to fit its display', () => {
    expect(fitted(rectangle(1000, 600, 900, 700), [LAPTOP], LAPTOP)).toEqual(rectangle(466, 28, 900, 700));
    expect(fitted(rectangle(-50, -20, 1800, 1000), [LAPTOP], LAPTOP)).toEqual(LAPTOP);
    expect(fitted(rectangle(-800, 0, 900, 700), [LAPTOP], LAPTOP)).toEqual(rectangle(0, 0, 900, 700));
  });

  test('stays on the display with the greatest part of it', () => {
    expect(fitted(rectangle(1200, 0, 900, 700), [LAPTOP, SECOND], LAPTOP)).toMatchObject({ x: 1366 });
  });
});

describe('the stored window', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  function opened(folder: string, ...workAreas: Electron.Rectangle[]) {
    const electron = new ElectronDouble();
    electron.app.becomeReady();
    electron.screen.workAreas = workAreas;
    const place = new WindowPlace(folder, electron.parts.screen);
    const window = new electron.parts.BrowserWindow({ ...place.options(), show: false });
    place.follow(window);
    return electron.window;
  }

  test('is restored in size and place after closing', () => {
    using folder = temporaryFolder();
    const first = opened(folder.path, LAPTOP, SECOND);
    expect(first.getNormalBounds()).toMatchObject({ width: 1200, height: 728 });
    first.drag(rectangle(1500, 20, 900, 700));
    first.close();
    const second = opened(folder.path, LAPTOP, SECOND);
    expect(second.getNormalBounds()).toEqual(rectangle(1500, 20, 900, 700));
    expect(second.isMaximized()).toBe(false);
  });

  test('is restored after the app was killed', () => {
    using folder = temporaryFolder();
    opened(folder.path, LAPTOP).drag(rectangle(10, 20, 900, 700));
    expect(existsSync(join(folder.path, 'window.json'))).toBe(false);
    vi.advanceTimersByTime(1_000);
    expect(opened(folder.path, LAPTOP).getNormalBounds()).toEqual(rectangle(10, 20, 900, 700));
  });

  test('is maximized again once it is shown, and not before', () => {
    using folder = temporaryFolder();
    const first = opened(folder.path, LAPTOP);
    first.show();
    first.maximize();
    first.close();
    const second = opened(folder.path, LAPTOP);
    expect([second.isVisible(), second.isMaximized()]).toEqual([false, false]);
    second.show();
    expect(second.isMaximized()).toBe(true);
    // And stays so where it is never shown.
    opened(folder.path, LAPTOP).close();
    const last = opened(folder.path, LAPTOP);
    last.show();
    expect(last.isMaximized()).toBe(true);
  });

  test.each(['', 'null', '{"bounds":{"x":1e9,"y":0,"width":900,"height":700},"isMaximized":true}'])(
    'a file with %j counts as none',
    (text) => {
      using folder = temporaryFolder();
      writeFileSync(join(folder.path, 'window.json'), text);
      expect(opened(folder.path, SECOND).getNormalBounds()).toMatchObject({ width: 1200, height: 800 });
    },
  );

  test('closes with an unwritable disk', () => {
    using folder = temporaryFolder();
    const window = opened(join(folder.path, 'gone'), LAPTOP);
    window.close();
    expect(window.isDestroyed()).toBe(true);
  });

  test('is readable only by the person', () => {
    using folder = temporaryFolder();
    opened(folder.path, LAPTOP).close();
    expect(JSON.parse(readFileSync(join(folder.path, 'window.json'), 'utf8'))).toEqual({
      bounds: rectangle(100, 100, 1200, 728),
      isMaximized: false,
    });
  });
});
