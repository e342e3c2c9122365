import { type RefObject, useState } from 'react';
import type { Settings } from '../../../bridge/shapes.ts';
import { useAsk, useCommand } from '../../bridge.ts';
import { Button } from '../../design/button.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { useLock } from '../../lock/lock-gate.tsx';
import { useLockNow } from '../../lock/lock-now.tsx';
import { useFocusReturn } from '../../shared/use-focus-return.ts';
import { RadioRow, SwitchRow } from '../setting-rows.tsx';
import { PassphraseForm } from './passphrase-form.tsx';

type Minutes = Settings['autoLockMinutes'];

const waits: readonly { value: `${Minutes}`; label: string; minutes: Minutes }[] = [
  { value: '1', label: 'A minute', minutes: 1 },
  { value: '5', label: '5 minutes', minutes: 5 },
  { value: '15', label: '15 minutes', minutes: 15 },
  { value: '60', label: 'An hour', minutes: 60 },
  { value: 'null', label: 'Never', minutes: null },
];

/** The app lock: whether a passphrase is needed, when it locks by itself, and locking now. */
export function AppLock() {
  const { needsPassphrase } = useLock();
  const { data: host } = useAsk('host.info', {});
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
        label="App lock"
        onChange={(next) => setForm(next ? 'on' : 'off')}
      />
      {form && <PassphraseForm key={form} kind={form} onDone={() => setForm(null)} />}
      {isOn && (
        <>
          <AutoLock />
          {form === null && <LockActions onChange={() => setForm('change')} opener={opener} />}
        </>
      )}
    </div>
  );
}

function explanationOf(isOn: boolean, needsPassphrase: boolean): string {
  if (!isOn) return 'Waxwing then opens with a passphrase only, and closes when you leave it alone.';
  return needsPassphrase
    ? 'This computer has no key store, so the passphrase is what protects your messages.'
    : 'Your passphrase is needed at each start, and whenever Waxwing has locked.';
}

function AutoLock() {
  const { data: settings } = useAsk('settings.get', {});
  const save = useCommand('settings.set');
  if (!settings) return <Skeleton className="h-16" />;
  return (
    <RadioRow
      legend="Lock when nobody has used Waxwing for"
      onChoose={(chosen) => {
        const wait = waits.find(({ value }) => value === chosen);
        if (wait) save.mutate({ autoLockMinutes: wait.minutes });
      }}
      options={waits}
      value={`${settings.autoLockMinutes}`}
    />
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
        Lock now
      </Button>
      <Button onClick={onChange} ref={opener} size="small">
        Change passphrase
      </Button>
    </div>
  );
}
