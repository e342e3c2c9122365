import { useState } from 'react';
import { ask, useAsk } from '../../bridge.ts';
import { Button } from '../../design/button.tsx';
import { OwnPassphrase } from '../../lock/own-passphrase.tsx';

/** Deletes identity and messages from this computer, for whoever knows the passphrase. */
export function Wipe() {
  const { data: host } = useAsk('host.info', {});
  const [asking, setAsking] = useState(false);
  if (!host) return null;
  if (asking) {
    return (
      <WipeForm
        needsPassphrase={host.keyProtection.kind === 'passphrase'}
        onCancel={() => setAsking(false)}
      />
    );
  }
  return (
    <div className="flex flex-col items-start gap-2">
      <p className="text-ink-soft leading-relaxed">
        Messages are kept on this computer alone, sealed. Deleted, nobody brings them back.
      </p>
      <Button onClick={() => setAsking(true)} size="small" tone="danger">
        Delete everything on this computer
      </Button>
    </div>
  );
}

function WipeForm({ needsPassphrase, onCancel }: { needsPassphrase: boolean; onCancel: () => void }) {
  const [passphrase, setPassphrase] = useState('');
  const [hasPhrase, setHasPhrase] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const wipe = () => {
    setBusy(true);
    // Done, the whole interface begins anew, and this is gone.
    ask('lock.wipe', { passphrase: needsPassphrase ? passphrase : null }).catch((error: Error) => {
      setProblem(error.message);
      setBusy(false);
    });
  };
  return (
    <form
      className="flex flex-col gap-3 rounded-2xl border border-line p-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) wipe();
      }}
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
          type="checkbox"
        />
        <span>I have the recovery phrase, or need this identity no more.</span>
      </label>
      <OwnPassphrase
        isAsked={needsPassphrase}
        onChange={setPassphrase}
        problem={problem}
        value={passphrase}
      />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel} size="small" tone="quiet">
          Cancel
        </Button>
        <Button
          busy={busy}
          disabled={!hasPhrase || (needsPassphrase && passphrase === '')}
          size="small"
          tone="danger"
          type="submit"
        >
          Delete everything
        </Button>
      </div>
    </form>
  );
}
