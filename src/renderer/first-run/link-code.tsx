import { useEffect, useRef } from 'react';
import { CopyButton } from '../design/copy-button.tsx';
import { QrCode } from '../design/qr-code.tsx';
import { t } from '../words.tsx';

interface LinkCodeProps {
  code: string;
  /** Contents of the QR code. */
  uri: string;
  /** Remaining lifetime in seconds. */
  seconds: number;
}

/** The code of this computer, for reading, copying or scanning. It is not secret. */
export function LinkCode({ code, uri, seconds }: LinkCodeProps) {
  const groups = code.split('-');
  // The pressed button is gone.
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div className="flex flex-col gap-4 outline-none" ref={place} tabIndex={-1}>
      <QrCode className="mx-auto w-44 border border-line" label={t('firstRun.linkQr')} text={uri} />
      <div className="flex items-center gap-1 rounded-menu border border-line bg-raised py-2 pe-1.5 ps-3.5">
        <code className="min-w-0 flex-1 text-center font-mono text-pane" dir="ltr">
          {groups.map((group, index) => (
            // The same four characters may be at two places, so the place is the key.
            // biome-ignore lint/suspicious/noArrayIndexKey: the groups never move
            <span className="inline-block" key={index}>
              {group}
              {index < groups.length - 1 && '-'}
            </span>
          ))}
        </code>
        <CopyButton label={t('firstRun.linkCopy')} text={code} />
      </div>
      <p className="text-center text-ink-soft">
        {t('firstRun.linkWaiting')}{' '}
        <span className="tabular-nums" role="timer">
          {t('firstRun.linkExpires', { time: minutesAndSeconds(seconds) })}
        </span>
      </p>
    </div>
  );
}

function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
