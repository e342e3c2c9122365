import { Pause, Play } from 'lucide-react';
import { useRef, useState } from 'react';
import { IconButton } from '../../design/icon-button.tsx';
import { Tooltip } from '../../design/tooltip.tsx';
import { playTime } from '../../shared/time.ts';
import { t } from '../../words.tsx';
import { FileCard } from './file-card.tsx';
import { type FileOf, isHere, useFileAddress } from './use-file.ts';
import { Waveform } from './waveform.tsx';

const SPEEDS = [1, 1.5, 2];
/** The chosen speed, on this computer. */
const CHOSEN = 'waxwing.voice-speed';

/** A voice message: its waveform is a slider. After its end, the next message plays if it is one, too. */
export function Voice({ of }: { of: FileOf }) {
  const { file } = of;
  const { data } = useFileAddress(of);
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [isBroken, setBroken] = useState(false);
  const [at, setAt] = useState(0);
  const [length, setLength] = useState((file.durationMs ?? 0) / 1000);
  const [speed, setSpeed] = useState(chosenSpeed);
  if (!isHere(file) || isBroken || (data && !data.mediaType.startsWith('audio/')))
    return <FileCard of={of} />;
  const toggle = () => {
    const { current } = audio;
    if (!current) return;
    if (isPlaying) return current.pause();
    // Chosen at another message meanwhile.
    setSpeed(chosenSpeed());
    current.playbackRate = chosenSpeed();
    pauseOthers(current);
    current.play().catch(() => setPlaying(false));
  };
  const changeSpeed = () => {
    const next = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1;
    localStorage.setItem(CHOSEN, String(next));
    setSpeed(next);
    if (audio.current) audio.current.playbackRate = next;
  };
  return (
    <div className="flex w-[18rem] max-w-full items-center gap-1.5" data-file-place>
      {/* biome-ignore lint/a11y/useMediaCaption: nobody wrote captions for it */}
      <audio
        hidden
        onDurationChange={({ currentTarget: { duration } }) =>
          // A recording may be without its length, or with one of its begin.
          Number.isFinite(duration) && setLength((known) => Math.max(known, duration))
        }
        onEnded={({ currentTarget }) => {
          currentTarget.currentTime = 0;
          nextVoice(currentTarget)?.click();
        }}
        onError={() => setBroken(true)}
        onPause={() => setPlaying(false)}
        onPlay={() => setPlaying(true)}
        onTimeUpdate={({ currentTarget }) => setAt(currentTarget.currentTime)}
        preload="metadata"
        ref={audio}
        src={data?.path}
      />
      <IconButton
        data-voice
        icon={isPlaying ? Pause : Play}
        label={t(isPlaying ? 'files.pauseVoice' : 'files.playVoice')}
        onClick={toggle}
      />
      <Waveform
        at={at}
        length={length}
        loudness={file.waveform}
        onSeek={(seconds) => {
          if (audio.current) audio.current.currentTime = seconds;
          setAt(seconds);
        }}
      />
      <span className="w-9 shrink-0 text-end text-ink-soft text-meta tabular-nums">
        {playTime(isPlaying || at > 0 ? at : length)}
      </span>
      <Tooltip text={t('files.speed')}>
        <button
          aria-label={t('files.speedNow', { speed })}
          className="h-7 w-9 shrink-0 rounded-control font-semibold text-meta hover:bg-sunken"
          onClick={changeSpeed}
          type="button"
        >
          {t('files.times', { speed })}
        </button>
      </Tooltip>
    </div>
  );
}

function chosenSpeed(): number {
  const chosen = Number(localStorage.getItem(CHOSEN));
  return SPEEDS.includes(chosen) ? chosen : 1;
}

/** One sound at a time. */
function pauseOthers(own: HTMLMediaElement): void {
  for (const each of document.querySelectorAll<HTMLMediaElement>('audio, video')) {
    if (each !== own) each.pause();
  }
}

/** The button of the voice message that follows; null if another message does. */
function nextVoice(audio: HTMLElement): HTMLElement | null {
  const articles = [...document.querySelectorAll('article[data-message]')];
  const index = articles.findIndex((each) => each.contains(audio));
  return articles[index + 1]?.querySelector<HTMLElement>('[data-voice]') ?? null;
}
