import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Output } from '../../bridge/contract.ts';
import type { Me } from '../../bridge/shapes/account.ts';
import { callBridge, queryKey } from '../bridge.ts';
import { SwitchRow } from '../design/setting-rows.tsx';
import { rich, t } from '../words.tsx';
import { SigningForm } from './signing-form.tsx';

/** A waiting computer, under the entered code. */
export type FoundComputer = Output<'devices.findWaiting'> & { code: string };

interface LinkConfirmProps {
  me: Me;
  computer: FoundComputer;
  onSigned: (withHistory: boolean) => void;
  onCancel: () => void;
}

/** The waiting computer with its own claims, and its future permissions. */
export function LinkConfirm({ me, computer, onSigned, onCancel }: LinkConfirmProps) {
  const client = useQueryClient();
  const [withHistory, setWithHistory] = useState(true);
  return (
    <div className="p-5">
      <SigningForm
        action={t('settings.linkAction')}
        keepsPhrase={me.keepsPhrase}
        onCancel={onCancel}
        onSign={async (proof) => {
          const devices = await callBridge('devices.link', { code: computer.code, withHistory, ...proof });
          client.setQueryData(queryKey('devices.list', {}), devices);
          onSigned(withHistory);
        }}
        tone="primary"
      >
        <p className="[overflow-wrap:anywhere]">
          {rich('settings.linkClaim', { name: computer.name, id: computer.id.slice(0, 8) })}
        </p>
        <p className="rounded-menu bg-warning-soft p-4">{t('settings.linkWarning')}</p>
        <SwitchRow
          checked={withHistory}
          explanation={t('settings.linkHistoryText')}
          label={t('settings.linkHistory')}
          onChange={setWithHistory}
        />
        <p className="text-ink-soft">{t('settings.linkLacks')}</p>
      </SigningForm>
    </div>
  );
}
