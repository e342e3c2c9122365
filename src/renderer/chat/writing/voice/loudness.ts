/** The waveform of a voice message. */
import { unlessAborted, withinLimit } from '../../../shared/pictures/decoder-limit.ts';

/** The number of loudnesses in a message, each from 0 to 255. */
export const BARS = 64;
const MOST = 255;
/** Samples per second: enough for the loudness, and little memory for half an hour. */
const SAMPLE_RATE = 8_000;
/** Limit of a decoded recording, in bytes: half an hour has 7 MiB. */
const MAX_BYTES = 16 * 1024 * 1024;

export interface Sound {
  durationMs: number;
  waveform: number[];
}

/** Null for a recording that the browser does not decode in time. */
export async function describeSound(recording: Blob): Promise<Sound | null> {
  if (recording.size === 0 || recording.size > MAX_BYTES) return null;
  try {
    const context = new OfflineAudioContext(1, 1, SAMPLE_RATE);
    const bytes = await recording.arrayBuffer();
    const decoded = await withinLimit((end) => unlessAborted(end, context.decodeAudioData(bytes)));
    if (!decoded || decoded.length === 0) return null;
    return {
      durationMs: Math.round(decoded.duration * 1000),
      waveform: loudnesses(decoded.getChannelData(0)),
    };
  } catch {
    return null;
  }
}

/** The loudness of each part of a sound, in relation to the loudest part. Silence is 0 everywhere. */
export function loudnesses(samples: Float32Array): number[] {
  const parts = Array.from({ length: BARS }, (_, index) => {
    const begin = Math.floor((index * samples.length) / BARS);
    const end = Math.max(begin + 1, Math.floor(((index + 1) * samples.length) / BARS));
    return rootMeanSquare(samples.subarray(begin, end));
  });
  const loudest = Math.max(...parts);
  // Below it there is only the noise of a microphone.
  if (loudest < QUIETEST) return parts.map(() => 0);
  return parts.map((each) => Math.round((each / loudest) * MOST));
}

const QUIETEST = 0.001;

function rootMeanSquare(samples: Float32Array): number {
  if (samples.length === 0) return 0;
  return Math.sqrt(samples.reduce((sum, each) => sum + each * each, 0) / samples.length);
}
