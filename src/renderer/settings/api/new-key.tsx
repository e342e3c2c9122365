import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { hasMoreCharacters, MAX_NAME } from '../../../base/names.ts';
import type { Output } from '../../../bridge/contract.ts';
import { longest } from '../../../bridge/longest.ts';
import type { ApiKeyEntitlement } from '../../../bridge/shapes/developer-access.ts';
import { queryKey, useCommand } from '../../bridge.ts';
import { CredentialReveal } from '../../credentials/credential-reveal.tsx';
import { Button } from '../../design/button.tsx';
import { ButtonRow } from '../../design/button-row.tsx';
import { RadioRow } from '../../design/setting-rows.tsx';
import { TextField } from '../../design/text-field.tsx';
import { useFocusReturn } from '../../shared/use-focus-return.ts';
import { rich, t } from '../../words.tsx';
import { allEntitlements, entitlementWords, usualEntitlements } from './entitlements.ts';

type Created = Output<'developer.createKey'>;

const lives = [
  { value: '30', label: t('settings.keyDays', { count: 30 }) },
  { value: '90', label: t('settings.keyDays', { count: 90 }) },
  { value: '365', label: t('settings.keyYear') },
  { value: 'never', label: t('settings.keyNever') },
] as const;
type Life = (typeof lives)[number]['value'];

/** Creates a key with its purpose, permissions and lifetime; then shows its secret once. */
export function NewKey() {
  const [isOpen, setIsOpen] = useState(false);
  // Stored only here: removed with the dialog, and never in the query cache.
  const [created, setCreated] = useState<Created | null>(null);
  const client = useQueryClient();
  const opener = useFocusReturn(isOpen);
  return (
    <>
      {isOpen ? (
        <NewKeyForm
          onClose={() => setIsOpen(false)}
          onCreated={(answer) => {
            setIsOpen(false);
            setCreated(answer);
            void client.invalidateQueries({ queryKey: queryKey('developer.get') });
          }}
        />
      ) : (
        <div>
          <Button onClick={() => setIsOpen(true)} ref={opener}>
            {t('settings.keyNew')}
          </Button>
        </div>
      )}
      {created && (
        <CredentialReveal
          example={{ title: t('settings.keyExampleSend'), command: 'waxwing send @handle "Hello"' }}
          explanation={t('settings.keyText')}
          finalFocus={opener}
          onDone={() => setCreated(null)}
          relayUrl={created.relayUrl}
          secret={created.secret}
          title={rich('settings.keyTitle', { name: created.key.name })}
          variable="WAXWING_API_KEY"
        />
      )}
    </>
  );
}

function NewKeyForm({ onClose, onCreated }: { onClose: () => void; onCreated: (created: Created) => void }) {
  const [name, setName] = useState('');
  const [life, setLife] = useState<Life>('90');
  const [entitlements, setEntitlements] = useState<readonly ApiKeyEntitlement[]>(usualEntitlements);
  const create = useCommand('developer.createKey', { showsFailure: true, onSuccess: onCreated });
  const toggle = (entitlement: ApiKeyEntitlement) =>
    setEntitlements((chosen) =>
      chosen.includes(entitlement) ? chosen.filter((each) => each !== entitlement) : [...chosen, entitlement],
    );
  return (
    <form
      className="flex flex-col gap-4 rounded-menu border border-line bg-raised p-4"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate({
          name,
          entitlements: [...entitlements],
          days: life === 'never' ? null : Number(life),
        });
      }}
    >
      <TextField
        autoFocus
        label={t('settings.keyName')}
        maxLength={longest.name}
        most={MAX_NAME}
        note={create.error?.message}
        noteTone={create.error ? 'problem' : 'hint'}
        onChange={(event) => {
          create.reset();
          setName(event.target.value);
        }}
        placeholder={t('settings.keyPlaceholder')}
        value={name}
      />
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-2 text-secondary text-ink-soft">{t('settings.keyPermissions')}</legend>
        {allEntitlements.map((entitlement) => (
          <label className="flex items-baseline gap-2.5" key={entitlement}>
            <input
              checked={entitlements.includes(entitlement)}
              className="size-4 shrink-0 translate-y-0.5 accent-accent"
              onChange={() => toggle(entitlement)}
              type="checkbox"
            />
            <span>
              {entitlementWords[entitlement]}{' '}
              <code className="font-mono text-ink-soft text-meta">{entitlement}</code>
            </span>
          </label>
        ))}
      </fieldset>
      <RadioRow legend={t('settings.keyExpiresAfter')} onChoose={setLife} options={lives} value={life} />
      <ButtonRow>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button
          busy={create.isPending}
          disabled={name.trim() === '' || hasMoreCharacters(name, MAX_NAME) || entitlements.length === 0}
          tone="primary"
          type="submit"
        >
          {t('settings.keyCreate')}
        </Button>
      </ButtonRow>
    </form>
  );
}
