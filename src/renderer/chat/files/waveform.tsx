import { playTime } from '../../shared/time.ts';
import { t } from '../../words.tsx';

/** The lowest bar, of 100. */
const LEAST = 8;
const FLAT = Array.from({ length: 64 }, () => 0);

interface WaveformProps {
  /** In seconds. */
  at: number;
  length: number;
  label: string;
  /** From 0 to 255; null if unknown. */
  loudness: readonly number[] | null;
  onSeek: (seconds: number) => void;
}

/** The loudness of a sound over time, and a slider. */
export function Waveform({ at, label, length, loudness, onSeek }: WaveformProps) {
  const bars = loudness ?? FLAT;
  const done = length > 0 ? (at / length) * bars.length : 0;
  return (
    <span className="relative h-8 min-w-0 flex-1 rounded-chip has-focus-visible:outline-2 has-focus-visible:outline-focus has-focus-visible:outline-offset-2">
      <svg
        aria-hidden="true"
        className="absolute inset-0 size-full rtl:-scale-x-100"
        preserveAspectRatio="none"
        viewBox={`0 0 ${bars.length * 3} 100`}
      >
        {bars.map((each, index) => {
          const height = Math.max(LEAST, (each / 255) * 100);
          return (
            <rect
              className={index < done ? 'fill-accent-ink' : 'fill-line-strong'}
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
      <input
        aria-label={label}
        aria-valuetext={t('files.progress', { done: playTime(at), total: playTime(length) })}
        className="absolute inset-0 size-full cursor-pointer opacity-0"
        max={length}
        min={0}
        onChange={({ target }) => onSeek(target.valueAsNumber)}
        step={0.1}
        type="range"
        value={at}
      />
    </span>
  );
}
