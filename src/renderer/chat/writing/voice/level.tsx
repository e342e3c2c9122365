import { useEffect, useEffectEvent, useState } from 'react';
import type { Recorder } from './recorder.ts';

/** The shown levels. */
const BARS = 48;
/** The interval between two levels, in milliseconds. */
const LOOK_EVERY = 100;
/** The lowest bar, of 100. */
const LEAST = 6;
const NONE: readonly number[] = Array.from({ length: BARS }, () => 0);

/**
 * The last levels of a recording, from 0 to 1.
 * @param onLook called with the recorded milliseconds
 */
export function useLevels(recorder: Recorder, isOn: boolean, onLook: (length: number) => void) {
  const [levels, setLevels] = useState(NONE);
  const look = useEffectEvent(() => {
    setLevels((before) => [...before.slice(1), recorder.level]);
    onLook(recorder.length);
  });
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => look(), LOOK_EVERY);
    return () => clearInterval(timer);
  }, [isOn]);
  return levels;
}

export function Levels({ levels }: { levels: readonly number[] }) {
  return (
    <svg
      aria-hidden="true"
      className="h-8 min-w-0 flex-1 rtl:-scale-x-100"
      preserveAspectRatio="none"
      viewBox={`0 0 ${BARS * 3} 100`}
    >
      {levels.map((each, index) => {
        const height = Math.max(LEAST, Math.sqrt(each) * 100);
        return (
          <rect
            className="fill-accent-ink"
            height={height}
            // biome-ignore lint/suspicious/noArrayIndexKey: bars keep their places
            key={index}
            width="2"
            x={index * 3}
            y={(100 - height) / 2}
          />
        );
      })}
    </svg>
  );
}
