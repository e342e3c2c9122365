import { useState } from 'react';
import { longest } from '../../bridge/longest.ts';
import type { Me } from '../../bridge/shapes/account.ts';
import { useBridgeQuery, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { ButtonRow } from '../design/button-row.tsx';
import { TextField } from '../design/text-field.tsx';
import { isOnThisComputer } from '../shared/server.ts';
import { useDebounced } from '../shared/use-debounced.ts';
import { failureText, rich, t } from '../words.tsx';
import type { FoundComputer } from './link-confirm.tsx';

const CODE_SHAPE = '0000-0000-0000-0000-0000-0000-0000';

interface LinkEnterProps {
  me: Me;
  onFound: (computer: FoundComputer) => void;
}

/** Instructions for the new computer, and the field for its code, checked during typing. */
export function LinkEnter({ me, onFound }: LinkEnterProps) {
  const [code, setCode] = useState('');
  const check = useCodeCheck(code);
  const find = useCommand('devices.findWaiting', {
    showsFailure: true,
    onSuccess: (waiting, input) => onFound({ ...waiting, code: input.code }),
  });
  const refused = find.error && find.variables?.code === code.trim() ? find.error.message : null;
  return (
    <form
      className="flex flex-col gap-4 p-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (check.ok && !find.isPending) find.mutate({ code: code.trim() });
      }}
    >
      <ol className="flex list-decimal flex-col gap-1.5 ps-5">
        <li className="[overflow-wrap:anywhere]">
          {rich('settings.linkStepServer', { server: me.relayUrl })}
        </li>
        <li>{t('settings.linkStepChoice', { choice: t('firstRun.accountLink') })}</li>
        <li>{t('settings.linkStepCode')}</li>
      </ol>
      {isOnThisComputer(me.relayUrl) && <p className="text-ink-soft">{t('settings.linkLocal')}</p>}
      <TextField
        autoCapitalize="characters"
        className="[&_input]:font-mono [&_input]:text-interface"
        label={t('settings.linkCode')}
        maxLength={longest.code}
        note={refused ?? check.note}
        noteTone={refused === null ? check.tone : 'problem'}
        onChange={(event) => setCode(event.target.value)}
        placeholder={CODE_SHAPE}
        value={code}
      />
      <ButtonRow>
        <Button busy={find.isPending} disabled={!check.ok} tone="primary" type="submit">
          {t('common.continue')}
        </Button>
      </ButtonRow>
    </form>
  );
}

interface CodeCheck {
  ok: boolean;
  note: string;
  tone: 'hint' | 'good' | 'problem';
}

function useCodeCheck(typed: string): CodeCheck {
  const wanted = typed.trim();
  const code = useDebounced(wanted, 300);
  const { data, error } = useBridgeQuery('devices.checkCode', { code }, { enabled: code !== '' });
  if (wanted === '') return { ok: false, note: t('settings.linkHint'), tone: 'hint' };
  if (code !== wanted || (!data && !error)) return { ok: false, note: '', tone: 'hint' };
  const problem = data ? data.problem && failureText(data.problem) : (error?.message ?? null);
  if (problem !== null) return { ok: false, note: problem, tone: 'problem' };
  return { ok: true, note: t('settings.linkComplete'), tone: 'good' };
}
