import { ArrowDownToLine, CloudOff, Play, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCommand } from '../../bridge.ts';
import { Tooltip } from '../../design/tooltip.tsx';
import { fileSize } from '../../shared/size.ts';
import { shortDate } from '../../shared/time.ts';
import { useMayAct } from '../../shared/use-shut-out.ts';
import { t } from '../../words.tsx';
import { keepFocus } from './keep-focus.ts';
import { onePress } from './one-press.ts';
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
  const mayAct = useMayAct();
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
  const isRemote = state === 'remote';
  const Action = isRemote ? ArrowDownToLine : X;
  const { done, total } = progress;
  const share = total > 0 ? Math.min(1, done / total) : 0;
  const until =
    isRemote && file.until !== null ? t('files.availableUntil', { date: shortDate(file.until) }) : null;
  const isMoving = !isRemote && total > 0;
  return (
    <Over
      caption={
        isMoving ? t('files.progress', { done: fileSize(done), total: fileSize(total) }) : fileSize(size)
      }
      detail={until}
      isInCorner={isPlaying}
    >
      {onPlay && (isRemote ? mayAct : state === 'receiving') && <PlayFilm name={file.name} onPlay={onPlay} />}
      {(mayAct || !isRemote) && (
        <Tooltip text={t(isRemote ? 'files.downloadShort' : 'files.cancelShort')}>
          {/* The same in both states: its focus stays. */}
          <button
            aria-description={until ?? undefined}
            aria-label={t(isRemote ? 'files.download' : 'files.cancel', { name: file.name })}
            className={round}
            onClick={onePress(() => (isRemote ? download : stop).mutate(placeOf(of)))}
            ref={keepFocus}
            type="button"
          >
            {!isRemote && <Ring share={share} />}
            <Action aria-hidden="true" className="size-5" />
          </button>
        </Tooltip>
      )}
      {!isRemote && (
        <progress
          aria-label={t(state === 'sending' ? 'files.sending' : 'files.receiving', { name: file.name })}
          className="sr-only"
          max={100}
          value={total > 0 ? Math.floor(share * 100) : undefined}
        />
      )}
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
    <button
      aria-label={t('files.playFilm', { name })}
      className={round}
      onClick={onPlay}
      ref={keepFocus}
      type="button"
    >
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
