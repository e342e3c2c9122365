import { Globe, Monitor } from 'lucide-react';
import { useRef, useState } from 'react';
import { longest } from '../../bridge/longest.ts';
import type { FirstLinks } from '../../bridge/shapes/app.ts';
import { useBridgeQuery } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/text-field.tsx';
import { looksLikeInvite } from '../invites/looks-like-invite.ts';
import { useDebounced } from '../shared/use-debounced.ts';
import { failureText, t } from '../words.tsx';
import { ChoiceCard } from './choice-card.tsx';
import { InviteField } from './invite-field.tsx';
import type { Relays, StepProps } from './step.ts';
import { StepFrame } from './step-frame.tsx';

const EXAMPLE_ADDRESS = 'https://relay.example';

interface RelayStepProps extends Omit<StepProps, 'onBack'> {
  relays: Relays;
  links: FirstLinks;
  /** Receives the invite link of the field; null for none. */
  onEntered: (entered: FirstLinks['entered']) => void;
}

/** The choice of a server: on this computer, by its address, or the given one. */
export function RelayStep({ entries, change, onNext, relays, links, onEntered }: RelayStepProps) {
  const check = useRelayCheck(entries.relay === 'url' ? entries.url : '');
  const [inviteText, setInviteText] = useState(links.entered?.text ?? null);
  const inviteField = useRef<HTMLInputElement>(null);
  const codeField = useRef<HTMLInputElement>(null);
  const [isInviteRequired, setInviteRequired] = useState(false);
  const isCodeGood = !check.wantsCode || isInvitation(entries.invitation);
  const changeInviteText = (text: string | null) => {
    setInviteRequired(false);
    setInviteText(text);
    onEntered(text !== null && looksLikeInvite(text) ? { text, isAgreed: false } : null);
  };
  const applyCode = (code: string) => {
    change({ invitation: code });
    changeInviteText(null);
    codeField.current?.focus();
  };
  const next = () => {
    if (!ready) return;
    // A pasted link is never dropped unnoticed.
    if (entries.invite === null && inviteText?.trim()) {
      setInviteRequired(true);
      inviteField.current?.focus();
    } else onNext();
  };
  const ready = entries.relay === 'embedded' || (check.ok && isCodeGood);
  const urlField = (
    <div className="flex flex-col gap-3">
      <TextField
        label={t('firstRun.serverAddress')}
        note={check.note}
        noteTone={check.tone}
        onChange={(event) => change({ url: event.target.value })}
        placeholder={EXAMPLE_ADDRESS}
        readOnly={relays.fixed !== null}
        type="url"
        value={entries.url}
      />
      {check.wantsCode && (
        <TextField
          autoCapitalize="none"
          label={t('firstRun.invitation')}
          maxLength={longest.invitation}
          note={isCodeGood ? t('firstRun.invitationHint') : t('firstRun.invitationMalformed')}
          noteTone={isCodeGood ? 'hint' : 'problem'}
          onChange={(event) => change({ invitation: event.target.value })}
          ref={codeField}
          value={entries.invitation}
        />
      )}
    </div>
  );
  return (
    <StepFrame
      actions={
        <Button disabled={!ready} tone="primary" type="submit">
          {t('common.continue')}
        </Button>
      }
      onSubmit={next}
      stage={1}
      text={t('firstRun.welcomeText')}
      title={t('firstRun.welcome')}
    >
      {relays.fixed === null && relays.embedded ? (
        <fieldset className="flex flex-col gap-3">
          <legend className="sr-only">{t('firstRun.server')}</legend>
          <ChoiceCard
            checked={entries.relay === 'embedded'}
            group="relay"
            icon={Monitor}
            onChoose={() => change({ relay: 'embedded' })}
            text={t('firstRun.thisComputerText')}
            title={t('firstRun.thisComputer')}
          />
          <ChoiceCard
            checked={entries.relay === 'url'}
            group="relay"
            icon={Globe}
            onChoose={() => change({ relay: 'url' })}
            text={t('firstRun.serverAddressText')}
            title={t('firstRun.serverAddress')}
          >
            {urlField}
          </ChoiceCard>
        </fieldset>
      ) : (
        urlField
      )}
      <div className="mt-4">
        <InviteField
          field={inviteField}
          invite={entries.invite}
          isRequired={isInviteRequired}
          onCode={check.wantsCode ? applyCode : null}
          onRemove={() => change({ invite: null })}
          onText={changeInviteText}
          others={links.others}
          onUse={(invite, code) =>
            change({ invite, relay: 'url', url: invite.server, ...(code !== null && { invitation: code }) })
          }
          relays={relays}
          text={inviteText}
        />
      </div>
    </StepFrame>
  );
}

/** Empty is valid: people with an account there need no code. */
function isInvitation(typed: string): boolean {
  const code = typed.trim();
  return code === '' || /^inv_[A-Za-z0-9_-]{43}$/.test(code);
}

interface RelayCheck {
  ok: boolean;
  /** True if a new account there requires an invitation code. */
  wantsCode: boolean;
  note: string;
  tone: 'hint' | 'good' | 'problem';
}

const NOT_YET = { ok: false, wantsCode: false };

function useRelayCheck(typed: string): RelayCheck {
  const wanted = typed.trim();
  const url = useDebounced(wanted, 400);
  const { data, error } = useBridgeQuery(
    'relay.check',
    { url },
    { enabled: url !== '', refetchInterval: (answer) => (answer?.ok ? false : 3000) },
  );
  if (wanted === '') return { ...NOT_YET, note: t('firstRun.serverHint'), tone: 'hint' };
  if (url !== wanted || (!data && !error)) {
    return { ...NOT_YET, note: t('firstRun.serverChecking'), tone: 'hint' };
  }
  if (!data?.ok) {
    return {
      ...NOT_YET,
      note: (data?.problem && failureText(data.problem)) ?? error?.message ?? t('firstRun.serverSilent'),
      tone: 'problem',
    };
  }
  const server = data.name ?? data.url;
  const note = data.version
    ? t('firstRun.serverFoundVersion', { server, version: data.version })
    : t('firstRun.serverFound', { server });
  if (data.registration === 'list') {
    return { ok: true, wantsCode: false, note: t('firstRun.serverByList', { server }), tone: 'hint' };
  }
  return { ok: true, wantsCode: data.registration === 'code', note, tone: 'good' };
}
