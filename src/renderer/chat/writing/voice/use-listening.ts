import { useEffect, useRef, useState } from 'react';
import { playAlone } from '../../../shared/one-sound.ts';
import { describeSound } from './loudness.ts';
import type { Recorder } from './recorder.ts';

export interface Listening {
  isPlaying: boolean;
  /** In seconds. */
  at: number;
  /** Null until the recording is decoded. */
  waveform: number[] | null;
  toggle: () => void;
  seek: (seconds: number) => void;
  /** Ends the playback, and forgets the copy that was played. */
  stop: () => void;
}

/** Playback of a recording before it is sent. */
export function useListening(recorder: Recorder): Listening {
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [at, setAt] = useState(0);
  const [waveform, setWaveform] = useState<number[] | null>(null);
  const stop = () => {
    const { current } = audio;
    audio.current = null;
    if (current) {
      current.pause();
      URL.revokeObjectURL(current.src);
    }
    setPlaying(false);
    setAt(0);
    setWaveform(null);
  };
  useEffect(
    () => () => {
      audio.current?.pause();
      if (audio.current) URL.revokeObjectURL(audio.current.src);
      audio.current = null;
    },
    [],
  );
  const start = async () => {
    const current = new Audio();
    audio.current = current;
    const blob = await recorder.soFar();
    // Resumed, discarded or sent meanwhile.
    if (audio.current !== current) return;
    current.src = URL.createObjectURL(blob);
    current.addEventListener('play', () => {
      playAlone(current);
      setPlaying(true);
    });
    current.addEventListener('pause', () => setPlaying(false));
    current.addEventListener('timeupdate', () => setAt(current.currentTime));
    current.addEventListener('ended', () => {
      current.currentTime = 0;
    });
    await Promise.all([
      current.play(),
      describeSound(blob).then((sound) => {
        if (audio.current === current) setWaveform(sound?.waveform ?? null);
      }),
    ]);
  };
  return {
    ...{ isPlaying, at, waveform, stop },
    toggle: () => {
      const { current } = audio;
      if (!current) void start().catch(stop);
      else if (isPlaying) current.pause();
      else void current.play().catch(stop);
    },
    seek: (seconds) => {
      if (audio.current) audio.current.currentTime = seconds;
      setAt(seconds);
    },
  };
}
