import { CircleCheck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Me } from '../../bridge/shapes/account.ts';
import { useBridgeQuery } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { ButtonRow } from '../design/button-row.tsx';
import { AddressBlock } from '../people/address-block.tsx';
import { rich, t } from '../words.tsx';
import type { FoundComputer } from './link-confirm.tsx';

/** The interval of checks whether the new computer has joined, in milliseconds. */
const LOOK_EVERY = 2_000;

interface LinkOutcomeProps {
  me: Me;
  computer: FoundComputer;
  /** The computer gets messages and files of this one. */
  withHistory: boolean;
  onDone: () => void;
}

/** Remaining steps on the new computer; then the confirmation that it has joined, which its own key proves. */
export function LinkOutcome({ me, computer, withHistory, onDone }: LinkOutcomeProps) {
  const { data: devices, error } = useBridgeQuery(
    'devices.list',
    {},
    { refetchInterval: (all) => (hasJoined(all, computer.id) ? false : LOOK_EVERY) },
  );
  const isThere = hasJoined(devices, computer.id);
  // The pressed button is gone.
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div className="flex flex-col gap-4 p-5 outline-none" ref={place} tabIndex={-1}>
      {isThere ? (
        <div className="flex items-start gap-3" role="status">
          <CircleCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-success-ink" />
          <div className="flex flex-col gap-2">
            <p>{rich('settings.linkDone', { name: computer.name, id: computer.id.slice(0, 8) })}</p>
            {withHistory && <p>{t('settings.linkSends')}</p>}
          </div>
        </div>
      ) : (
        <>
          <p role="status">
            {me.handle === null
              ? t('settings.linkJoinAddress')
              : t('settings.linkJoin', { handle: `@${me.handle}` })}
          </p>
          <AddressBlock address={me.address} />
          <p className="text-ink-soft">{t('settings.linkNotJoined')}</p>
          <p className="text-danger-ink empty:hidden" role="alert">
            {error?.message}
          </p>
        </>
      )}
      <ButtonRow>
        <Button onClick={onDone} tone={isThere ? 'primary' : 'plain'}>
          {isThere ? t('common.done') : t('common.close')}
        </Button>
      </ButtonRow>
    </div>
  );
}

function hasJoined(
  devices: readonly { id: string; sealKeySince: number | null }[] | undefined,
  id: string,
): boolean {
  return devices?.some((device) => device.id === id && device.sealKeySince !== null) ?? false;
}
