import { useEffect, useRef, useState } from 'react';
import { ask, useAsk } from '../../bridge.ts';
import { Button } from '../../design/button.tsx';
import { GuardedForm } from './guarded-form.tsx';

interface WipeProps {
  asking: boolean;
  onAsk: (asking: boolean) => void;
}

/** Deletes identity and messages from this computer, for whoever knows the passphrase. */
export function Wipe({ asking, onAsk }: WipeProps) {
  const { data: host } = useAsk('host.info', {});
  if (!host) return null;
  if (asking) {
    return (
      <WipeForm needsPassphrase={host.keyProtection.kind === 'passphrase'} onCancel={() => onAsk(false)} />
    );
  }
  return (
    <div className="flex flex-col items-start gap-2">
      <p className="text-ink-soft leading-relaxed">
        Messages are kept on this computer alone, sealed. Deleted, nobody brings them back.
      </p>
      <Button onClick={() => onAsk(true)} size="small" tone="danger">
        Delete everything on this computer
      </Button>
    </div>
  );
}

function WipeForm({ needsPassphrase, onCancel }: { needsPassphrase: boolean; onCancel: () => void }) {
  const [hasPhrase, setHasPhrase] = useState(false);
  const checkbox = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // It may have been opened from far below.
    checkbox.current?.focus();
  }, []);
  return (
    <GuardedForm
      action="Delete everything"
      isReady={hasPhrase}
      needsPassphrase={needsPassphrase}
      onCancel={onCancel}
      // Done, the whole interface begins anew, and this is gone.
      onConfirm={async (passphrase) => void (await ask('lock.wipe', { passphrase }))}
      tone="danger"
    >
      <p className="leading-relaxed">
        Your identity, your messages and your drafts go from this computer, and Waxwing begins anew. Other
        devices of yours stay as they are. Without your recovery phrase and without another device, your
        address is lost, and your handle with it.
      </p>
      <label className="flex items-start gap-2.5">
        <input
          checked={hasPhrase}
          className="mt-1 size-4 shrink-0 accent-wax"
          onChange={(event) => setHasPhrase(event.target.checked)}
          ref={checkbox}
          type="checkbox"
        />
        <span>I have the recovery phrase, or need this identity no more.</span>
      </label>
    </GuardedForm>
  );
}
