/**
 * The length of one pass of an animation, by its frames. Sources: GIF89a, PNG (W3C, 'fcTL'), WebP container (Google, 'ANMF').
 */
import { type Bytes, letters, u16be, u16le, u24le, u32be, u32le } from '../../shared/pictures/bytes.ts';
import {
  afterExtension,
  afterFrame,
  EXTENSION,
  FRAME,
  firstBlock,
} from '../../shared/pictures/gif-blocks.ts';

/** Browsers show a frame of at most 10 ms for 100 ms. */
const [LEAST_FRAME, QUICK_FRAME] = [10, 100];

export interface AnimationLength {
  frames: number;
  milliseconds: number;
}

/** @param bytes the whole file */
export function animationLength(bytes: Bytes): AnimationLength {
  const frames = [...framesOf(bytes)].map((each) => (each <= LEAST_FRAME ? QUICK_FRAME : each));
  return { frames: frames.length, milliseconds: frames.reduce((sum, each) => sum + each, 0) };
}

function framesOf(bytes: Bytes): Iterable<number> {
  if (/^GIF8[79]a$/.test(letters(bytes, 0, 6))) return gifFrames(bytes);
  if (letters(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return pngFrames(bytes);
  return letters(bytes, 0) === 'RIFF' && letters(bytes, 8) === 'WEBP' ? webpFrames(bytes) : [];
}

function* gifFrames(bytes: Bytes): Iterable<number> {
  let delay = 0;
  for (let at = firstBlock(bytes); at < bytes.length; ) {
    const block = bytes[at];
    if (block === EXTENSION) {
      if (bytes[at + 1] === 0xf9) delay = u16le(bytes, at + 4) * 10;
      at = afterExtension(bytes, at);
    } else if (block === FRAME) {
      yield delay;
      delay = 0;
      at = afterFrame(bytes, at);
    } else break;
  }
}

function* pngFrames(bytes: Bytes): Iterable<number> {
  for (let at = 8; at + 8 <= bytes.length; at += 12 + u32be(bytes, at)) {
    if (letters(bytes, at + 4) !== 'fcTL') continue;
    // A denominator of 0 means 100.
    yield (u16be(bytes, at + 28) / (u16be(bytes, at + 30) || 100)) * 1_000;
  }
}

function* webpFrames(bytes: Bytes): Iterable<number> {
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = u32le(bytes, at + 4);
    if (letters(bytes, at) === 'ANMF') yield u24le(bytes, at + 20);
    at += 8 + size + (size % 2);
  }
}
