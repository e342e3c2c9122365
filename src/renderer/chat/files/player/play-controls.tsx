import { Pause, Play } from 'lucide-react';
import { IconButton } from '../../../design/icon-button.tsx';
import { Tooltip } from '../../../design/tooltip.tsx';
import { playTime } from '../../../shared/time.ts';
import { t } from '../../../words.tsx';
import type { FileOf } from '../use-file.ts';
import { Waveform } from '../waveform.tsx';
import type { Track } from './player.ts';
import { usePlayer, useSpeed } from './use-player.tsx';

/** Play or pause, place, time and speed, in the row of a voice message or sound. */
export function PlayControls({ of, track }: { of: FileOf; track: Track }) {
  const { file } = of;
  const player = usePlayer();
  const { isPlaying, at, length } = track;
  return (
    <div className="flex min-w-0 items-center gap-1.5">
      <IconButton
        icon={isPlaying ? Pause : Play}
        label={playLabel(of, isPlaying)}
        onClick={() => player.toggle(of)}
      />
      <Waveform
        at={at}
        label={file.type === 'voice' ? t('files.voicePlace') : t('files.soundPlace', { name: file.name })}
        length={length}
        loudness={file.waveform}
        onSeek={(seconds) => player.seek(of, seconds)}
      />
      <span className="w-9 shrink-0 text-end text-ink-soft text-meta tabular-nums">
        {(isPlaying || at > 0 || length > 0) && playTime(isPlaying || at > 0 ? at : length)}
      </span>
      <SpeedButton />
    </div>
  );
}

export function playLabel({ file: { type, name } }: FileOf, isPlaying: boolean): string {
  if (type === 'voice') return t(isPlaying ? 'files.pauseVoice' : 'files.playVoice');
  return t(isPlaying ? 'files.pauseSound' : 'files.playSound', { name });
}

export function SpeedButton() {
  const player = usePlayer();
  const speed = useSpeed();
  return (
    <Tooltip text={t('files.speed')}>
      <button
        aria-label={t('files.speedNow', { speed })}
        className="h-7 w-9 shrink-0 rounded-control font-semibold text-meta hover:bg-sunken"
        onClick={() => player.nextSpeed()}
        type="button"
      >
        {t('files.times', { speed })}
      </button>
    </Tooltip>
  );
}
