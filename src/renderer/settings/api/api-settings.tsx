import { LockKeyhole } from 'lucide-react';
import { useState } from 'react';
import type { DeveloperAccess } from '../../../bridge/shapes.ts';
import { useAsk, useCommand } from '../../bridge.ts';
import { Button } from '../../design/button.tsx';
import { CopyButton } from '../../design/copy-button.tsx';
import { Confirmation } from '../../design/dialog.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { counted } from '../../shared/count.ts';
import { KeyList } from './key-list.tsx';
import { NewKey } from './new-key.tsx';
import { useShowAccess } from './use-show-access.ts';

/** Whether programs may act in the person's name, and with which keys. */
export function ApiSettings() {
  const { data: access, error, refetch } = useAsk('developer.get', {});
  // An answer that is there stays, with a key that was just made and is shown below it.
  if (error && !access) {
    return (
      <p className="text-ink-soft">
        {error.message}{' '}
        <Button onClick={() => void refetch()} size="small">
          Try again
        </Button>
      </p>
    );
  }
  if (!access) return <Skeleton className="h-24" />;
  return access.unlocked ? <Unlocked access={access} /> : <Locked />;
}

function Locked() {
  const show = useShowAccess();
  const [asking, setAsking] = useState(false);
  const unlock = useCommand('developer.unlock', { onSuccess: show });
  return (
    <div className="flex flex-col gap-3 rounded-2xl border border-line bg-raised p-4">
      <p className="flex items-center gap-2 font-semibold">
        <LockKeyhole aria-hidden="true" className="size-4" />
        Developer API access is locked
      </p>
      <p className="text-ink-soft leading-relaxed">
        Unlocked, scripts and bots can read and write with API keys that you make here. What they send is not
        signed by one of your devices: people see it as “via API”.
      </p>
      <div>
        <Button busy={unlock.isPending} onClick={() => setAsking(true)}>
          Unlock
        </Button>
      </div>
      <Confirmation
        action="Sign and unlock"
        explanation="Your wallet signs that others may accept messages in your name that no device of yours has signed. For those, they trust the relay. You can lock it again at any time."
        onClose={() => setAsking(false)}
        onConfirm={() => unlock.mutate({})}
        open={asking}
        title="Unlock Developer API access?"
      />
    </div>
  );
}

/** The relay's own page. The desktop app opens only what is encrypted; a relay on this computer is not. */
function HowTo({ docsUrl }: { docsUrl: string }) {
  const { data: host } = useAsk('host.info', {});
  if (!host) return null;
  if (host.kind === 'electron' && !docsUrl.startsWith('https:')) {
    return (
      <>
        How to use one: open <bdi className="font-semibold [overflow-wrap:anywhere]">{docsUrl}</bdi>
        <CopyButton className="-my-2 align-middle" label="Copy the address" text={docsUrl} /> in your browser.
      </>
    );
  }
  return (
    <a className="font-semibold text-wax-ink underline" href={docsUrl} rel="noreferrer" target="_blank">
      How to use the API
    </a>
  );
}

function Unlocked({ access }: { access: DeveloperAccess }) {
  const show = useShowAccess();
  const [asking, setAsking] = useState(false);
  const lock = useCommand('developer.lock', { onSuccess: show });
  const working = access.keys.filter(isWorking).length;
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-soft leading-relaxed">
        An API key reads and writes in your name, as far as you allow it. What is sent with one is shown as
        “via API”. <HowTo docsUrl={access.docsUrl} />
      </p>
      <KeyList keys={access.keys} />
      <NewKey />
      <div>
        <Button busy={lock.isPending} onClick={() => setAsking(true)} size="small" tone="danger">
          Lock API access
        </Button>
      </div>
      <Confirmation
        action="Lock"
        explanation={
          working === 0
            ? 'Your wallet signs that messages of programs are not to be accepted in your name any more.'
            : `${counted(working, 'key')} stop working at once, and your wallet signs that messages of programs are not to be accepted in your name any more. Unlocked again, keys that you have not revoked work again.`
        }
        onClose={() => setAsking(false)}
        onConfirm={() => lock.mutate({})}
        open={asking}
        title="Lock Developer API access?"
      />
    </div>
  );
}

function isWorking({ expiresAt, revokedAt }: DeveloperAccess['keys'][number]): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > Date.now());
}
