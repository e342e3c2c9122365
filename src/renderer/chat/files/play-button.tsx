import { Pause, Play } from 'lucide-react';
import { IconButton } from '../../design/icon-button.tsx';
import { t } from '../../words.tsx';
import type { Animation } from './use-animation.ts';

/** Plays an animation again, or stops it. */
export function PlayButton({ animation, className }: { animation: Animation; className: string }) {
  const { isAnimated, isPlaying, toggle } = animation;
  if (!isAnimated) return null;
  return (
    <IconButton
      className={`border border-line-strong bg-surface/90 ${className}`}
      icon={isPlaying ? Pause : Play}
      label={t(isPlaying ? 'files.pause' : 'files.play')}
      onClick={toggle}
    />
  );
}
