import { ArrowDownToLine, CloudOff, Play, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCommand } from '../../bridge.ts';
import { Tooltip } from '../../design/tooltip.tsx';
import { fileSize } from '../../shared/size.ts';
import { plainDate } from '../../shared/time.ts';
import { WhileAccepted } from '../../shared/while-accepted.tsx';
import { t } from '../../words.tsx';
import { type FileOf, placeOf, useFileProgress } from './use-file.ts';

const round =
  'relative grid size-11 place-items-center rounded-full border border-line bg-surface text-ink shadow-raised';

interface FileOnTheWayProps {
  of: FileOf;
  /** Plays it while it is downloaded; absent for a picture. */
  onPlay?: () => void;
  /** True while it plays: the progress is in the corner. */
  isPlaying?: boolean;
}

/** Over the place of a file that is not here, or in transfer: its size, and the possible actions. */
export function FileOnTheWay({ of, onPlay, isPlaying = false }: FileOnTheWayProps) {
  const { file } = of;
  const { state, size } = file;
  const progress = useFileProgress(of);
  const download = useCommand('files.download');
  const stop = useCommand('files.stop');
  if (state === 'here') return null;
  if (state === 'gone') {
    return (
      <Over caption={t('files.gone')} shortCaption={t('files.goneShort')}>
        <span className={round}>
          <CloudOff aria-hidden="true" className="size-5 text-ink-soft" />
        </span>
      </Over>
    );
  }
  if (state === 'remote') {
    const label = t('files.download', { name: file.name });
    const until = file.until === null ? null : t('files.availableUntil', { date: plainDate(file.until) });
    return (
      <Over caption={fileSize(size)} detail={until}>
        <WhileAccepted>
          {onPlay && <PlayFilm name={file.name} onPlay={onPlay} />}
          <Tooltip text={t('files.downloadShort')}>
            <button
              aria-description={until ?? undefined}
              aria-label={label}
              className={round}
              onClick={() => download.mutate(placeOf(of))}
              type="button"
            >
              <ArrowDownToLine aria-hidden="true" className="size-5" />
            </button>
          </Tooltip>
        </WhileAccepted>
      </Over>
    );
  }
  const { done, total } = progress;
  const share = total > 0 ? Math.min(1, done / total) : 0;
  return (
    <Over
      caption={
        total > 0 ? t('files.progress', { done: fileSize(done), total: fileSize(total) }) : fileSize(size)
      }
      isInCorner={isPlaying}
    >
      {onPlay && state === 'receiving' && <PlayFilm name={file.name} onPlay={onPlay} />}
      <Tooltip text={t('files.cancelShort')}>
        <button
          aria-label={t('files.cancel', { name: file.name })}
          className={round}
          onClick={() => stop.mutate(placeOf(of))}
          type="button"
        >
          <Ring share={share} />
          <X aria-hidden="true" className="size-5" />
        </button>
      </Tooltip>
      <progress
        aria-label={t(state === 'sending' ? 'files.sending' : 'files.receiving', { name: file.name })}
        className="sr-only"
        max={100}
        value={total > 0 ? Math.floor(share * 100) : undefined}
      />
    </Over>
  );
}

interface OverProps {
  caption: string;
  /** Shown in place of the caption where there is little room, as in an album. */
  shortCaption?: string;
  /** Shown if there is room. */
  detail?: string | null;
  /** True for the buttons alone, in the corner. */
  isInCorner?: boolean;
  children: ReactNode;
}

function PlayFilm({ name, onPlay }: { name: string; onPlay: () => void }) {
  return (
    <button aria-label={t('files.playFilm', { name })} className={round} onClick={onPlay} type="button">
      <Play aria-hidden="true" className="size-5" strokeWidth={1.9} />
    </button>
  );
}

function Over({ caption, shortCaption, detail = null, isInCorner = false, children }: OverProps) {
  if (isInCorner)
    return (
      <div className="pointer-events-none absolute inset-x-1.5 top-1.5 flex *:pointer-events-auto">
        {children}
      </div>
    );
  return (
    <div className="@container pointer-events-none absolute inset-0 flex items-center justify-center gap-2 *:pointer-events-auto">
      {children}
      <span className="pointer-events-none! absolute start-1.5 bottom-1.5 max-w-[calc(100%-0.75rem)] truncate rounded-full bg-surface px-2 text-ink-soft text-meta">
        {shortCaption !== undefined && (
          <span aria-hidden="true" className="hidden @max-[11rem]:inline">
            {shortCaption}
          </span>
        )}
        <span className={shortCaption === undefined ? undefined : '@max-[11rem]:sr-only'}>{caption}</span>
        {detail !== null && <span className="@max-[15rem]:hidden"> · {detail}</span>}
      </span>
    </div>
  );
}

/** Around a button: the part that is done. */
function Ring({ share }: { share: number }) {
  return (
    <svg aria-hidden="true" className="absolute inset-0 size-full -rotate-90" viewBox="0 0 44 44">
      <circle
        className="text-accent-ink"
        cx="22"
        cy="22"
        fill="none"
        pathLength={100}
        r="20"
        stroke="currentColor"
        strokeDasharray={`${share * 100} 100`}
        strokeWidth="3"
      />
    </svg>
  );
}
