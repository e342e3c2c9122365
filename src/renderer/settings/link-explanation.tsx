import { useState } from 'react';
import { useAsk } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { OwnPassphrase } from '../lock/own-passphrase.tsx';

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
      <p>
        Your other computer becomes you: it gets your key, reads what comes from then on, and writes in your
        name. A code that you type there brings it the key. It works once, for ten minutes.
      </p>
      <p className="rounded-2xl bg-wax-soft p-4">
        <strong className="font-semibold">Whoever has the code in these ten minutes becomes you,</strong> and
        stays so. Send it to nobody, and type it only into a Waxwing of your own.
      </p>
      <ol className="flex list-decimal flex-col gap-1.5 pl-5">
        <li>
          Start Waxwing on the other computer and choose the relay{' '}
          <bdi className="font-semibold [overflow-wrap:anywhere]">{relayUrl}</bdi>.
        </li>
        <li>Choose “Link from my other computer”.</li>
        <li>Type the code. The new device then shows up here by itself.</li>
      </ol>
      <p className="text-ink-soft">
        Its history begins empty: what was written until then stays on the computers that have it.
        {isOnThisComputer(relayUrl) &&
          ' Your relay runs on this computer, and another one reaches it only if you forward it there.'}
      </p>
      <MakeCode action="Show the code" isMaking={isMaking} onMake={onMake} problem={problem} />
    </div>
  );
}

/** Makes a code, for whoever knows the passphrase; says why none could be made. */
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
