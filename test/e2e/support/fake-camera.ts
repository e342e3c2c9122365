/**
 * A camera for Chromium that shows one picture: a QR code.
 */
import { writeFileSync } from 'node:fs';
import { type Browser, chromium } from '@playwright/test';
import encodeQR from 'qr';
import { watched } from './watched.ts';

const WIDTH = 640;
const HEIGHT = 480;
/** Pixels for one module of the code. */
const MODULE = 8;
const [BLACK, WHITE, GREY] = [16, 235, 128];

/** Writes a picture of a QR code as a video of one frame, in the format that Chromium's fake camera reads (YUV4MPEG2). */
function writeVideo(path: string, text: string): void {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 4 });
  const [left, top] = [(WIDTH - rows.length * MODULE) / 2, (HEIGHT - rows.length * MODULE) / 2];
  const brightness = Buffer.alloc(WIDTH * HEIGHT, WHITE);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const isDark = rows[Math.floor((y - top) / MODULE)]?.[Math.floor((x - left) / MODULE)];
      if (isDark) brightness[y * WIDTH + x] = BLACK;
    }
  }
  const colour = Buffer.alloc((WIDTH * HEIGHT) / 2, GREY);
  const head = `YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420mpeg2\nFRAME\n`;
  writeFileSync(path, Buffer.concat([Buffer.from(head), brightness, colour]));
}

/**
 * A browser whose camera shows the QR code of a text.
 * @param video where the picture is written
 * @param args further arguments of Chromium
 */
export async function browserWithCamera(
  text: string,
  video: string,
  launch: { executablePath?: string | undefined; args?: string[] | undefined },
): Promise<Browser> {
  writeVideo(video, text);
  const browser = await chromium.launch({
    ...(launch.executablePath === undefined ? {} : { executablePath: launch.executablePath }),
    args: [
      ...(launch.args ?? []),
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-video-capture=${video}`,
    ],
  });
  return watched(browser);
}
