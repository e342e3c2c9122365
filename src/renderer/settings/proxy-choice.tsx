import { type FormEvent, useState } from 'react';
import { isPlainProxyUrl, proxyUrl } from '../../base/proxy-address.ts';
import { longest } from '../../bridge/longest.ts';
import type { ProxySetting } from '../../bridge/shapes/app.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { RadioRow } from '../design/setting-rows.tsx';
import { TextField } from '../design/text-field.tsx';
import { useSettings } from '../shared/use-settings.ts';
import { t } from '../words.tsx';

const choices = [
  { value: 'system', label: t('settings.proxySystem') },
  { value: 'none', label: t('settings.proxyNone') },
  { value: 'address', label: t('settings.proxyThis') },
] as const;

/** The proxy for servers on other computers. */
export function ProxyChoice() {
  const { settings, set } = useSettings();
  // Chosen, but without an address yet.
  const [isEntering, setIsEntering] = useState(false);
  if (!settings) return null;
  const { proxy } = settings;
  return (
    <>
      <RadioRow<ProxySetting['kind']>
        legend={t('settings.proxy')}
        onChoose={(kind) => {
          setIsEntering(kind === 'address');
          if (kind !== 'address') set({ proxy: { kind } });
        }}
        options={choices}
        value={isEntering ? 'address' : proxy.kind}
      />
      {isEntering || proxy.kind === 'address' ? (
        <AddressForm
          onSaved={() => setIsEntering(false)}
          saved={proxy.kind === 'address' ? proxy.address : ''}
        />
      ) : (
        <p className="text-ink-soft text-meta">{t('settings.proxyText')}</p>
      )}
    </>
  );
}

function AddressForm({ saved, onSaved }: { saved: string; onSaved: () => void }) {
  const [text, setText] = useState(saved);
  const [isMalformed, setIsMalformed] = useState(false);
  const save = useCommand('settings.set', { showsFailure: true, onSuccess: onSaved });
  const address = proxyUrl(text);
  const changed = address === null ? text.trim() !== '' : address !== saved;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isRight = address !== null && isPlainProxyUrl(address);
    setIsMalformed(!isRight);
    if (!isRight) return;
    setText(address);
    save.mutate({ proxy: { kind: 'address', address } });
  };
  const problem = isMalformed ? t('settings.proxyMalformed') : save.error?.message;
  return (
    <form onSubmit={submit}>
      <TextField
        dir="ltr"
        label={t('settings.proxyAddress')}
        maxLength={longest.proxy}
        note={problem ?? (save.isSuccess && !changed ? t('settings.saved') : t('settings.proxyHint'))}
        noteTone={problem === undefined ? 'hint' : 'problem'}
        onChange={(event) => {
          setText(event.target.value);
          setIsMalformed(false);
        }}
        value={text}
        beside={
          <Button busy={save.isPending} disabled={!changed} type="submit">
            {t('settings.proxySave')}
          </Button>
        }
      />
    </form>
  );
}
