/** Recording from the microphone, which is on from {@link openRecorder} to {@link Recorder.stop} or `close`. */

/** By preference. A type without a codec leaves the choice to the browser. */
const TYPES = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus'];
/** Enough for a voice, in bits per second. */
const BIT_RATE = 32_000;

export const maySupportRecording = () =>
  typeof MediaRecorder === 'function' && navigator.mediaDevices !== undefined && recordedType() !== undefined;

const recordedType = () => TYPES.find((type) => MediaRecorder.isTypeSupported(type));

/**
 * Asks for the microphone, and records.
 * @param signal ends the recording, also during the question
 * @param onEnd called at the end with the recorded milliseconds, also after the microphone was unplugged or failed
 * @throws DOMException without a microphone or a permission
 */
export async function openRecorder(signal: AbortSignal, onEnd: (length: number) => void): Promise<Recorder> {
  const audio = { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true };
  const stream = await navigator.mediaDevices.getUserMedia({ audio });
  try {
    signal.throwIfAborted();
    const recorder = new Recorder(stream, onEnd);
    signal.addEventListener('abort', () => recorder.close(), { once: true });
    return recorder;
  } catch (error) {
    turnOff(stream);
    throw error;
  }
}

function turnOff(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

export class Recorder {
  readonly #stream: MediaStream;
  readonly #media: MediaRecorder;
  readonly #context = new AudioContext();
  readonly #analyser = this.#context.createAnalyser();
  readonly #samples: Float32Array<ArrayBuffer>;
  readonly #pieces: Blob[] = [];
  readonly #ended = Promise.withResolvers<void>();
  /** Milliseconds of the parts before the last start. */
  #before = 0;
  #startedAt: number | null;

  constructor(stream: MediaStream, onEnd: (length: number) => void) {
    this.#stream = stream;
    this.#samples = new Float32Array(this.#analyser.fftSize);
    this.#context.createMediaStreamSource(stream).connect(this.#analyser);
    const mimeType = recordedType();
    this.#media = new MediaRecorder(stream, { audioBitsPerSecond: BIT_RATE, ...(mimeType && { mimeType }) });
    this.#media.addEventListener('dataavailable', ({ data }) => {
      if (data.size > 0) this.#pieces.push(data);
    });
    this.#media.addEventListener('stop', () => {
      this.#settleTime();
      turnOff(stream);
      this.#ended.resolve();
      onEnd(this.length);
    });
    this.#media.start();
    this.#startedAt = performance.now();
  }

  /** Recorded milliseconds, without pauses. */
  get length(): number {
    return this.#before + (this.#startedAt === null ? 0 : performance.now() - this.#startedAt);
  }

  /** The present loudness, from 0 to 1. */
  get level(): number {
    this.#analyser.getFloatTimeDomainData(this.#samples);
    return this.#samples.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
  }

  pause(): void {
    if (this.#media.state !== 'recording') return;
    this.#media.pause();
    this.#settleTime();
  }

  resume(): void {
    if (this.#media.state !== 'paused') return;
    this.#media.resume();
    this.#startedAt = performance.now();
  }

  /** The recording until now. */
  async soFar(): Promise<Blob> {
    if (this.#media.state !== 'inactive') {
      const arrived = Promise.withResolvers<void>();
      this.#media.addEventListener('dataavailable', () => arrived.resolve(), { once: true });
      this.#media.requestData();
      await Promise.race([arrived.promise, this.#ended.promise]);
    }
    return this.#whole();
  }

  /** Ends the recording, and turns the microphone off. */
  async stop(): Promise<Blob> {
    if (this.#media.state !== 'inactive') this.#media.stop();
    await this.#ended.promise;
    return this.#whole();
  }

  /** Turns the microphone off at once. */
  close(): void {
    if (this.#media.state !== 'inactive') this.#media.stop();
    turnOff(this.#stream);
    void this.#context.close();
  }

  #settleTime(): void {
    this.#before = this.length;
    this.#startedAt = null;
  }

  #whole(): Blob {
    const [type = ''] = this.#media.mimeType.split(';');
    return new Blob(this.#pieces, { type });
  }
}
