import { CircleCheck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Output } from '../../bridge/contract.ts';
import type { OwnDevice } from '../../bridge/shapes.ts';
import { Button } from '../design/button.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { QrCode } from '../design/qr-code.tsx';
import { secondsUntil } from '../shared/time.ts';
import { useNow } from '../shared/use-now.ts';
import { rich, t } from '../words.tsx';
import { deviceName } from './device-name.ts';
import { MakeCode, type MakesCode } from './link-explanation.tsx';

interface LinkCodeProps extends MakesCode {
  offer: Output<'devices.link'>;
  linked: OwnDevice | null;
  /** Why it is not known just now whether it was used. */
  trouble: string | null;
  onClose: () => void;
}

/** A code for as long as it works; then what became of it. */
export function LinkCode({ offer, linked, trouble, onClose, ...makes }: LinkCodeProps) {
  const seconds = secondsUntil(offer.expiresAt, useNow(1000));
  // The button that was pressed for it is gone.
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div className="flex flex-col gap-4 p-5 outline-none" ref={place} tabIndex={-1}>
      {linked ? (
        <Linked device={linked} onDone={onClose} />
      ) : seconds > 0 ? (
        <Waiting offer={offer} onCancel={onClose} seconds={seconds} trouble={trouble} />
      ) : (
        <Expired {...makes} />
      )}
    </div>
  );
}

interface WaitingProps {
  offer: Output<'devices.link'>;
  seconds: number;
  trouble: string | null;
  onCancel: () => void;
}

function Waiting({ offer, seconds, trouble, onCancel }: WaitingProps) {
  const groups = offer.code.split('-');
  return (
    <>
      <QrCode className="mx-auto w-44 border border-line" label={t('settings.linkQr')} text={offer.uri} />
      <div className="flex items-center gap-1 rounded-2xl border border-line bg-raised py-2 pe-1.5 ps-3.5">
        <code className="min-w-0 flex-1 text-center font-mono text-base leading-relaxed">
          {groups.map((group, index) => (
            // The same four characters may stand in two places, so the place is the key.
            // biome-ignore lint/suspicious/noArrayIndexKey: the groups never move
            <span className="inline-block" key={index}>
              {group}
              {index < groups.length - 1 && '-'}
            </span>
          ))}
        </code>
        <CopyButton label={t('settings.linkCopy')} text={offer.code} />
      </div>
      <p className="text-center text-ink-soft">
        {t('settings.linkWaiting')}{' '}
        <span className="tabular-nums" role="timer">
          {t('settings.linkExpires', { time: minutesAndSeconds(seconds) })}
        </span>
      </p>
      <p className="text-center text-wax-ink empty:hidden" role="status">
        {trouble}
      </p>
      <div className="flex justify-end">
        <Button onClick={onCancel}>{t('settings.linkCancel')}</Button>
      </div>
    </>
  );
}

function Expired(makes: MakesCode) {
  return (
    <>
      <p className="leading-relaxed" role="status">
        {t('settings.linkExpired')}
      </p>
      <MakeCode action={t('settings.linkNew')} {...makes} />
    </>
  );
}

function Linked({ device, onDone }: { device: OwnDevice; onDone: () => void }) {
  return (
    <>
      <p className="flex items-start gap-3 leading-relaxed" role="status">
        <CircleCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-leaf" />
        <span>{rich('settings.linkDone', { device: deviceName(device), id: device.id.slice(0, 8) })}</span>
      </p>
      <div className="flex justify-end">
        <Button onClick={onDone} tone="primary">
          {t('common.done')}
        </Button>
      </div>
    </>
  );
}

function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
