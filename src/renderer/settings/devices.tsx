import { useQueryClient } from '@tanstack/react-query';
import { Laptop, TerminalSquare } from 'lucide-react';
import { useState } from 'react';
import type { Me } from '../../bridge/shapes/account.ts';
import type { OwnDevice } from '../../bridge/shapes/device.ts';
import { callBridge, queryKey, useBridgeQuery, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Confirmation } from '../design/dialog.tsx';
import { LoadFailure } from '../design/load-failure.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { announce } from '../shared/announcements.tsx';
import { plainDate } from '../shared/time.ts';
import { useFocusReturn } from '../shared/use-focus-return.ts';
import { t } from '../words.tsx';
import { DeviceChanges } from './device-changes.tsx';
import { deviceLabel } from './device-name.ts';
import { DeviceNameForm } from './device-name-form.tsx';
import type { SettingProps } from './entry.ts';
import { HistorySending } from './history-sending.tsx';
import { LinkDevice } from './link-device.tsx';
import { SigningForm } from './signing-form.tsx';

/** The person's own devices. */
export function Devices({ me }: { me: Me }) {
  const { data: devices, error, refetch } = useBridgeQuery('devices.list', {});
  return (
    <>
      {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!devices && !error && <Skeleton className="h-14" />}
      {devices && (
        <ul aria-label={t('settings.devicesList')}>
          {devices.map((device) => (
            <DeviceRow device={device} key={device.id} label={deviceLabel(device, devices)} me={me} />
          ))}
        </ul>
      )}
      <DeviceChanges />
    </>
  );
}

/** Linking another computer to the account. */
export function LinkSetting({ me }: { me: Me }) {
  return (
    <>
      <LinkDevice me={me} />
      <p className="text-ink-soft">{t('settings.devicesText', { recover: t('firstRun.accountRecover') })}</p>
    </>
  );
}

/** The effects of removing a device, and its limits. */
export function Stolen({ show, setIsWiping }: SettingProps) {
  return (
    <div className="flex flex-col items-start gap-2 rounded-menu border border-line p-4">
      <h4 className="font-semibold text-secondary">{t('settings.stolen')}</h4>
      <p>{t('settings.stolenText')}</p>
      <p className="text-ink-soft">{t('settings.stolenHelp')}</p>
      <Button
        onClick={() => {
          setIsWiping(true);
          show('wipe');
        }}
        size="small"
      >
        {t('settings.stolenAction')}
      </Button>
    </div>
  );
}

interface DeviceRowProps {
  device: OwnDevice;
  /** Differs from the labels of the others. */
  label: string;
  me: Me;
}

function DeviceRow({ device, label, me }: DeviceRowProps) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [renaming, setRenaming] = useState(false);
  const renameButton = useFocusReturn(renaming);
  const keep = (devices: OwnDevice[]) => {
    client.setQueryData(queryKey('devices.list', {}), devices);
    void client.invalidateQueries({ queryKey: queryKey('devices.changes') });
  };
  const remove = (devices: OwnDevice[]) => {
    keep(devices);
    announce(t('settings.deviceRemoved', { device: label }));
  };
  const revoke = useCommand('devices.revoke', { onSuccess: remove });
  const Icon = device.type === 'app' ? Laptop : TerminalSquare;
  const canRenew = device.isThis && me.endsAt !== null;
  return (
    <li className="flex flex-col gap-2 py-1.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="flex min-w-0 flex-[1_1_10rem] items-center gap-3">
          <Icon aria-hidden="true" className="size-5 shrink-0 text-ink-soft" strokeWidth={1.9} />
          <div className="min-w-0 flex-1">
            <p className="font-semibold [overflow-wrap:anywhere]">
              <bdi>{label}</bdi>
            </p>
            <p className="text-ink-soft text-meta [overflow-wrap:anywhere] empty:hidden">{notesOn(device)}</p>
            <TechnicalDetails device={device} label={label} />
          </div>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {!renaming && (
            <Button
              aria-label={t('settings.deviceRenameOf', { device: label })}
              onClick={() => setRenaming(true)}
              ref={renameButton}
              size="small"
              tone="quiet"
            >
              {t('settings.deviceRename')}
            </Button>
          )}
          {!device.isThis && (
            <Button
              aria-label={t('settings.deviceRemoveOf', { device: label })}
              busy={revoke.isPending}
              onClick={() => setAsking(true)}
              size="small"
              tone="danger"
            >
              {t('settings.deviceRemove')}
            </Button>
          )}
          {canRenew && (
            <Button onClick={() => setAsking(true)} size="small">
              {t('settings.deviceRenew')}
            </Button>
          )}
        </div>
      </div>
      {renaming && <DeviceNameForm device={device} onClose={() => setRenaming(false)} />}
      {!device.isThis && <HistorySending deviceId={device.id} label={label} />}
      {device.isThis ? (
        asking && canRenew && <Renewal endsAt={me.endsAt ?? 0} onClose={() => setAsking(false)} />
      ) : me.keepsPhrase ? (
        <Confirmation
          action={t('settings.deviceRemoveAction')}
          explanation={t('settings.deviceRemoveText')}
          onClose={() => setAsking(false)}
          onConfirm={() => revoke.mutate({ id: device.id })}
          open={asking}
          title={t('settings.deviceRemoveTitle')}
        />
      ) : (
        asking && (
          <SigningForm
            action={t('settings.deviceRemoveAction')}
            keepsPhrase={false}
            onCancel={() => setAsking(false)}
            onSign={async ({ secret = '' }) => {
              remove(await callBridge('devices.revoke', { id: device.id, secret }));
            }}
            tone="danger"
          >
            <p>{t('settings.deviceRemoveText')}</p>
          </SigningForm>
        )
      )}
    </li>
  );
}

/** Renewal of this computer's certificate by a recovery phrase that is not stored here. */
function Renewal({ endsAt, onClose }: { endsAt: number; onClose: () => void }) {
  const client = useQueryClient();
  return (
    <SigningForm
      action={t('settings.deviceRenewAction')}
      keepsPhrase={false}
      onCancel={onClose}
      onSign={async ({ secret = '' }) => {
        client.setQueryData(queryKey('devices.list', {}), await callBridge('devices.renew', { secret }));
        onClose();
      }}
      tone="primary"
    >
      <p>{t('settings.deviceRenewText', { date: plainDate(endsAt) })}</p>
    </SigningForm>
  );
}

/** The id by which contacts see a device, and the dates of its keys. */
function TechnicalDetails({ device, label }: Pick<DeviceRowProps, 'device' | 'label'>) {
  const { id, sealKeySince, validUntil } = device;
  return (
    <details className="text-ink-soft text-meta">
      <summary aria-label={t('settings.deviceDetailsOf', { device: label })} className="w-fit cursor-pointer">
        {t('settings.deviceDetails')}
      </summary>
      <span className="block [overflow-wrap:anywhere]">
        <code className="font-mono">{id.slice(0, 8)}</code>
        {sealKeySince !== null && ` · ${t('settings.deviceKey', { date: plainDate(sealKeySince) })}`}
        {` · ${t('settings.deviceValid', { date: plainDate(validUntil) })}`}
      </span>
    </details>
  );
}

function notesOn({ isThis, name, sealKeySince, keepsPhrase }: OwnDevice): string {
  return [
    isThis && name !== null && t('settings.deviceThis'),
    sealKeySince === null && t('settings.deviceNoKey'),
    keepsPhrase !== null && t(keepsPhrase ? 'settings.deviceKeepsPhrase' : 'settings.deviceNoPhrase'),
  ]
    .filter(Boolean)
    .join(' · ');
}
