import { type RefObject, useRef, useState } from 'react';
import { hasMoreCharacters, MAX_NAME } from '../../base/names.ts';
import type { Output } from '../../bridge/contract.ts';
import { longest } from '../../bridge/longest.ts';
import { useCommand } from '../bridge.ts';
import { CredentialReveal } from '../credentials/credential-reveal.tsx';
import { Button } from '../design/button.tsx';
import { RadioRow } from '../design/setting-rows.tsx';
import { TextField } from '../design/text-field.tsx';
import { rich, t } from '../words.tsx';

type Created = Output<'groups.createToken'>;

const kinds = [
  { value: 'signed', label: t('groups.tokenSigned') },
  { value: 'alone', label: t('groups.tokenAlone') },
] as const;
type Kind = (typeof kinds)[number]['value'];
const explanations = {
  signed: t('groups.tokenSignedText'),
  alone: t('groups.tokenAloneText'),
} as const satisfies Record<Kind, string>;

/** Creates a bot with a name, with or without a key; then shows its secrets once. */
export function NewToken({ conversationId }: { conversationId: string }) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<Kind>('signed');
  // Stored only here: removed with the dialog, and never in the query cache.
  const [created, setCreated] = useState<Created | null>(null);
  const nameField = useRef<HTMLInputElement>(null);
  const create = useCommand('groups.createToken', {
    showsFailure: true,
    onSuccess: (answer) => {
      setCreated(answer);
      setName('');
      setKind('signed');
      create.reset();
    },
  });
  return (
    <>
      <form
        className="flex flex-col gap-3 rounded-menu border border-line bg-raised p-4"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate({ conversationId, name, alone: kind === 'alone' });
        }}
      >
        <TextField
          label={t('groups.tokenName')}
          maxLength={longest.name}
          most={MAX_NAME}
          note={create.error?.message}
          noteTone={create.error ? 'problem' : 'hint'}
          onChange={(event) => {
            create.reset();
            setName(event.target.value);
          }}
          ref={nameField}
          value={name}
        />
        <div className="flex flex-col gap-2">
          <RadioRow legend={t('groups.tokenKind')} onChoose={setKind} options={kinds} value={kind} />
          <p className="text-ink-soft text-meta">{explanations[kind]}</p>
        </div>
        <div className="flex justify-end">
          <Button
            busy={create.isPending}
            disabled={name.trim() === '' || hasMoreCharacters(name, MAX_NAME)}
            type="submit"
          >
            {t('groups.tokenCreate')}
          </Button>
        </div>
      </form>
      {/* The pressed button is disabled until the name changes. */}
      {created && <Revealed finalFocus={nameField} created={created} onDone={() => setCreated(null)} />}
    </>
  );
}

interface RevealedProps {
  created: Created;
  onDone: () => void;
  finalFocus: RefObject<HTMLElement | null>;
}

function Revealed({ created, onDone, finalFocus }: RevealedProps) {
  const { name, secret, botKey, relayUrl } = created;
  return (
    <CredentialReveal
      botKey={botKey}
      example={{ title: t('groups.tokenExampleSend'), command: 'waxwing send "Hello"' }}
      explanation={botKey === null ? t('groups.tokenText') : t('groups.tokenKeyText')}
      finalFocus={finalFocus}
      onDone={onDone}
      relayUrl={relayUrl}
      secret={secret}
      title={rich('groups.tokenTitle', { name })}
      variable="WAXWING_GROUP_TOKEN"
    />
  );
}
