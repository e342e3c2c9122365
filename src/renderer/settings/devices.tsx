import { useQueryClient } from '@tanstack/react-query';
import { Laptop, TerminalSquare } from 'lucide-react';
import { useState } from 'react';
import type { OwnDevice } from '../../bridge/shapes.ts';
import { queryKey, useAsk, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Confirmation } from '../design/dialog.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { plainDate } from '../shared/time.ts';
import { t } from '../words.tsx';
import { deviceName } from './device-name.ts';
import { LinkDevice } from './link-device.tsx';

/**
 * The person's own devices, and how another one comes to it.
 * @param onNewAccount leads to where this account is deleted and another one begins
 */
export function Devices({ onNewAccount }: { onNewAccount: () => void }) {
  const { data: devices, error, refetch } = useAsk('devices.list', {});
  return (
    <>
      {error && (
        <p className="text-ink-soft">
          {error.message}{' '}
          <Button onClick={() => void refetch()} size="small">
            {t('common.tryAgain')}
          </Button>
        </p>
      )}
      {!devices && !error && <Skeleton className="h-14" />}
      {devices && (
        <ul aria-label={t('settings.devicesList')}>
          {devices.map((device) => (
            <DeviceRow device={device} key={device.id} />
          ))}
        </ul>
      )}
      <LinkDevice />
      <p className="text-ink-soft leading-relaxed">
        {t('settings.devicesText', { recover: t('firstRun.accountRecover') })}
      </p>
      <Stolen onNewAccount={onNewAccount} />
    </>
  );
}

/** What removing a device does not do, and what does. */
function Stolen({ onNewAccount }: { onNewAccount: () => void }) {
  return (
    <div className="flex flex-col items-start gap-2 rounded-2xl border border-line p-4 leading-relaxed">
      <h4 className="font-semibold text-[0.8125rem]">{t('settings.stolen')}</h4>
      <p>{t('settings.stolenText')}</p>
      <p className="text-ink-soft">{t('settings.stolenHelp')}</p>
      <Button onClick={onNewAccount} size="small">
        {t('settings.stolenAction')}
      </Button>
    </div>
  );
}

function DeviceRow({ device }: { device: OwnDevice }) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const revoke = useCommand('devices.revoke', {
    onSuccess: (devices) => client.setQueryData(queryKey('devices.list', {}), devices),
  });
  const Icon = device.type === 'app' ? Laptop : TerminalSquare;
  return (
    <li className="flex items-center gap-3 py-1.5">
      <Icon aria-hidden="true" className="size-5 shrink-0 text-ink-soft" strokeWidth={1.9} />
      <span className="min-w-0 flex-1 leading-tight">
        <span className="block font-semibold">{deviceName(device)}</span>
        <span className="block text-ink-soft text-xs [overflow-wrap:anywhere]">
          <code className="font-mono">{device.id.slice(0, 8)}</code> · {keyNote(device)} ·{' '}
          {t('settings.deviceValid', { date: plainDate(device.validUntil) })}
        </span>
      </span>
      {!device.isThis && (
        <Button busy={revoke.isPending} onClick={() => setAsking(true)} size="small" tone="danger">
          {t('settings.deviceRemove')}
        </Button>
      )}
      <Confirmation
        action={t('settings.deviceRemoveAction')}
        explanation={t('settings.deviceRemoveText')}
        onClose={() => setAsking(false)}
        onConfirm={() => revoke.mutate({ id: device.id })}
        open={asking}
        title={t('settings.deviceRemoveTitle')}
      />
    </li>
  );
}

function keyNote({ sealKeySince }: OwnDevice): string {
  return sealKeySince === null
    ? t('settings.deviceNoKey')
    : t('settings.deviceKey', { date: plainDate(sealKeySince) });
}
