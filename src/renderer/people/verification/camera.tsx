import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { t } from '../../words.tsx';
import { readCode } from './read-code.ts';

/** The interval between two scanned frames, in milliseconds. */
const LOOK_EVERY = 150;

/** The camera's picture, scanned for a QR code. The camera is on while this is mounted. */
export function Camera({ onCode }: { onCode: (text: string) => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const found = useEffectEvent(onCode);
  useEffect(() => {
    const stop = new AbortController();
    const watch = async () => {
      const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      const turnOff = () => {
        for (const track of stream.getTracks()) track.stop();
      };
      stop.signal.addEventListener('abort', turnOff);
      if (stop.signal.aborted || !video.current) return turnOff();
      video.current.srcObject = stream;
      await video.current.play();
      while (!stop.signal.aborted && video.current) {
        const text = await readCode(video.current);
        if (text !== null && !stop.signal.aborted) found(text);
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
      }
    };
    watch().catch((error: unknown) => {
      if (!stop.signal.aborted) setProblem(sentenceFor(error));
      // After any failure the camera is turned off.
      stop.abort();
    });
    return () => stop.abort();
  }, []);
  if (problem !== null) return <p className="text-danger-ink">{problem}</p>;
  return (
    <video
      aria-label={t('people.cameraPicture')}
      className="aspect-[4/3] w-full rounded-menu bg-sunken object-cover"
      muted
      playsInline
      ref={video}
    />
  );
}

function sentenceFor(error: unknown): string {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError') {
    return t('people.cameraRefused');
  }
  if (name === 'NotFoundError' || name === 'OverconstrainedError') {
    return t('people.cameraMissing');
  }
  return t('people.cameraBroken');
}
