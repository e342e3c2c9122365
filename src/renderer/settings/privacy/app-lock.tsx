import { type RefObject, useState } from 'react';
import type { Settings } from '../../../bridge/settings.ts';
import { useBridgeQuery } from '../../bridge.ts';
import { Button } from '../../design/button.tsx';
import { RadioRow, SwitchRow } from '../../design/setting-rows.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { useLock } from '../../lock/lock-gate.tsx';
import { useLockNow } from '../../lock/lock-now.tsx';
import { useFocusReturn } from '../../shared/use-focus-return.ts';
import { useSettings } from '../../shared/use-settings.ts';
import { t } from '../../words.tsx';
import { PassphraseForm } from './passphrase-form.tsx';

type Minutes = Settings['autoLockMinutes'];

const waits: readonly { value: `${Minutes}`; label: string; minutes: Minutes }[] = [
  { value: '1', label: t('settings.lockMinutes', { count: 1 }), minutes: 1 },
  { value: '5', label: t('settings.lockMinutes', { count: 5 }), minutes: 5 },
  { value: '15', label: t('settings.lockMinutes', { count: 15 }), minutes: 15 },
  { value: '60', label: t('settings.lockHours', { count: 1 }), minutes: 60 },
  { value: 'null', label: t('settings.lockNever'), minutes: null },
];

/** App lock: the passphrase, automatic locking, and locking now. */
export function AppLock() {
  const { needsPassphrase } = useLock();
  const { data: host } = useBridgeQuery('host.info', {});
  const [form, setForm] = useState<'on' | 'off' | 'change' | null>(null);
  const opener = useFocusReturn(form !== null);
  if (!host) return <Skeleton className="h-12" />;
  const isOn = host.keyProtection.kind === 'passphrase';
  return (
    <div className="flex flex-col gap-4">
      <SwitchRow
        checked={isOn}
        disabled={isOn && needsPassphrase}
        explanation={explanationOf(isOn, needsPassphrase)}
        label={t('settings.appLock')}
        onChange={(next) => setForm(next ? 'on' : 'off')}
      />
      {form && <PassphraseForm key={form} kind={form} onDone={() => setForm(null)} />}
      {isOn && (
        <>
          <AutoLock reportsScreenLock={host.kind === 'electron'} />
          {form === null && <LockActions onChange={() => setForm('change')} opener={opener} />}
        </>
      )}
    </div>
  );
}

function explanationOf(isOn: boolean, needsPassphrase: boolean): string {
  if (!isOn) return t('settings.appLockOff');
  return needsPassphrase ? t('settings.appLockNeeded') : t('settings.appLockOn');
}

/** @param reportsScreenLock true if the system reports a locked screen */
function AutoLock({ reportsScreenLock }: { reportsScreenLock: boolean }) {
  const { settings, set } = useSettings();
  if (!settings) return <Skeleton className="h-16" />;
  return (
    <>
      <RadioRow
        legend={t('settings.lockAfter')}
        onChoose={(chosen) => {
          const wait = waits.find(({ value }) => value === chosen);
          if (wait) set({ autoLockMinutes: wait.minutes });
        }}
        options={waits}
        value={`${settings.autoLockMinutes}`}
      />
      {reportsScreenLock && (
        <SwitchRow
          checked={settings.lockWithScreen}
          explanation={t('settings.lockWithScreenText')}
          label={t('settings.lockWithScreen')}
          onChange={(lockWithScreen) => set({ lockWithScreen })}
        />
      )}
    </>
  );
}

interface LockActionsProps {
  onChange: () => void;
  opener: RefObject<HTMLButtonElement | null>;
}

function LockActions({ onChange, opener }: LockActionsProps) {
  const { lock } = useLockNow();
  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={lock} size="small">
        {t('app.lock')}
      </Button>
      <Button onClick={onChange} ref={opener} size="small">
        {t('settings.passphraseChange')}
      </Button>
    </div>
  );
}
