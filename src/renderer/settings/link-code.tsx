import { CircleCheck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Output } from '../../bridge/contract.ts';
import type { OwnDevice } from '../../bridge/shapes.ts';
import { Button } from '../design/button.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { QrCode } from '../design/qr-code.tsx';
import { secondsUntil } from '../shared/time.ts';
import { useNow } from '../shared/use-now.ts';
import { deviceName } from './device-name.ts';
import { MakeCode, type MakesCode } from './link-explanation.tsx';

interface LinkCodeProps extends MakesCode {
  offer: Output<'devices.link'>;
  linked: OwnDevice | null;
  /** Why it is not known just now whether somebody has used it. */
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
      <QrCode
        className="mx-auto w-44 border border-line"
        label="A QR code that says the same as the code below"
        text={offer.uri}
      />
      <div className="flex items-center gap-1 rounded-2xl border border-line bg-raised py-2 pr-1.5 pl-3.5">
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
        <CopyButton label="Copy the code" text={offer.code} />
      </div>
      <p className="text-center text-ink-soft">
        Waiting for the other computer.{' '}
        <span className="tabular-nums" role="timer">
          The code works for another {minutesAndSeconds(seconds)}.
        </span>
      </p>
      <p className="text-center text-wax-ink empty:hidden" role="status">
        {trouble}
      </p>
      <div className="flex justify-end">
        <Button onClick={onCancel}>Cancel the code</Button>
      </div>
    </>
  );
}

function Expired(makes: MakesCode) {
  return (
    <>
      <p className="leading-relaxed" role="status">
        This code has expired. Nobody can use it any more.
      </p>
      <MakeCode action="Make a new code" {...makes} />
    </>
  );
}

function Linked({ device, onDone }: { device: OwnDevice; onDone: () => void }) {
  return (
    <>
      <p className="flex items-start gap-3 leading-relaxed" role="status">
        <CircleCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-leaf" />
        <span>
          <strong className="block font-semibold">
            Linked: {deviceName(device)}, <code className="font-mono">{device.id.slice(0, 8)}</code>
          </strong>
          From now on it reads and writes as you do. If it is not yours, somebody else has your key: remove it
          from your devices, and create a new identity.
        </span>
      </p>
      <div className="flex justify-end">
        <Button onClick={onDone} tone="primary">
          Done
        </Button>
      </div>
    </>
  );
}

function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
