import { type ReactNode, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { ButtonRow } from '../../design/button-row.tsx';
import { OwnPassphrase } from '../../lock/own-passphrase.tsx';
import { t } from '../../words.tsx';

interface GuardedFormProps {
  /** The consequences, and whether they can be undone. */
  children: ReactNode;
  action: string;
  tone: 'primary' | 'danger';
  needsPassphrase: boolean;
  /** True if all other fields are complete. */
  isReady?: boolean;
  /** Called with the passphrase, if one is set. A rejection is shown. */
  onConfirm: (passphrase: string | null) => Promise<void>;
  onCancel: () => void;
}

/** Asks within Settings before an action that only the person may take. */
export function GuardedForm({ isReady = true, needsPassphrase, ...props }: GuardedFormProps) {
  const [passphrase, setPassphrase] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const confirm = () => {
    setBusy(true);
    props
      .onConfirm(needsPassphrase ? passphrase : null)
      .catch((error: Error) => setProblem(error.message))
      .finally(() => setBusy(false));
  };
  return (
    <form
      className="flex flex-col gap-3 rounded-menu border border-line p-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) confirm();
      }}
    >
      {props.children}
      <OwnPassphrase
        autoFocus
        isSet={needsPassphrase}
        onChange={setPassphrase}
        problem={problem}
        value={passphrase}
      />
      <ButtonRow>
        <Button onClick={props.onCancel} size="small" tone="quiet">
          {t('common.cancel')}
        </Button>
        <Button
          busy={busy}
          disabled={!isReady || (needsPassphrase && passphrase === '')}
          size="small"
          tone={props.tone}
          type="submit"
        >
          {props.action}
        </Button>
      </ButtonRow>
    </form>
  );
}
