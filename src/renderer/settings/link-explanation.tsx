import { useState } from 'react';
import { useAsk } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { OwnPassphrase } from '../lock/own-passphrase.tsx';
import { rich, t } from '../words.tsx';

/** Making a code: under way, and why it did not work. */
export interface MakesCode {
  isMaking: boolean;
  problem: string | null;
  /** With the passphrase, where one is set. */
  onMake: (passphrase: string | null) => void;
}

/** What a code is for and what it can do, before one is shown. */
export function LinkExplanation({ isMaking, problem, onMake }: MakesCode) {
  const { data: state } = useAsk('app.state', {});
  const relayUrl = state?.me?.relayUrl ?? '';
  return (
    <div className="flex flex-col gap-4 p-5 leading-relaxed">
      <p>{t('settings.linkText')}</p>
      <p className="rounded-2xl bg-wax-soft p-4">{rich('settings.linkWarning')}</p>
      <ol className="flex list-decimal flex-col gap-1.5 ps-5">
        <li className="[overflow-wrap:anywhere]">{rich('settings.linkStepServer', { server: relayUrl })}</li>
        <li>{t('settings.linkStepChoice', { choice: t('firstRun.accountLink') })}</li>
        <li>{t('settings.linkStepCode')}</li>
      </ol>
      <p className="text-ink-soft">
        {t('settings.linkHistory')} {isOnThisComputer(relayUrl) && t('settings.linkLocal')}
      </p>
      <MakeCode action={t('settings.linkShow')} isMaking={isMaking} onMake={onMake} problem={problem} />
    </div>
  );
}

/** Makes a code, for who knows the passphrase; says why none could be made. */
export function MakeCode({ action, isMaking, problem, onMake }: MakesCode & { action: string }) {
  const { data: host } = useAsk('host.info', {});
  const [passphrase, setPassphrase] = useState('');
  const isAsked = host?.keyProtection.kind === 'passphrase';
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (host) onMake(isAsked ? passphrase : null);
      }}
    >
      <OwnPassphrase isAsked={isAsked} onChange={setPassphrase} problem={problem} value={passphrase} />
      <div className="flex justify-end">
        <Button
          busy={isMaking}
          disabled={!host || (isAsked && passphrase === '')}
          tone="primary"
          type="submit"
        >
          {action}
        </Button>
      </div>
    </form>
  );
}

function isOnThisComputer(relayUrl: string): boolean {
  return URL.canParse(relayUrl) && /^(?:localhost|127\..*|\[::1\])$/.test(new URL(relayUrl).hostname);
}
