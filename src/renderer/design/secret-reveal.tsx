import { AlertDialog } from '@base-ui/react/alert-dialog';
import { type ReactNode, type RefObject, useId, useState } from 'react';
import { t } from '../words.tsx';
import { Button } from './button.tsx';
import { ButtonRow } from './button-row.tsx';
import { CopyButton } from './copy-button.tsx';

interface SecretRevealProps {
  title: ReactNode;
  /** The use of the secrets, and who must not have them. */
  explanation: string;
  /** `label`: the name of each, if there are several. */
  secrets: readonly { label: string | null; text: string }[];
  examples: readonly { title: string; text: string }[];
  onDone: () => void;
  /** The element focused afterwards. */
  finalFocus: RefObject<HTMLElement | null>;
}

/** Shows secrets once. Only its button closes it, after the person has confirmed that they are stored. */
export function SecretReveal(props: SecretRevealProps) {
  const { title, explanation, secrets, examples, onDone, finalFocus } = props;
  const [isKept, setIsKept] = useState(false);
  const checkbox = useId();
  return (
    <AlertDialog.Root open>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop
          className="appear-plain fixed inset-0 z-50 bg-[rgb(0_0_0/0.4)]"
          // Over another dialog too.
          forceRender
        />
        <AlertDialog.Popup
          className="modal-window sheet appear fixed inset-x-0 z-50 mx-auto flex max-h-dvh w-full max-w-[32rem] flex-col gap-3 overflow-y-auto bg-surface p-5 text-ink shadow-dialog outline-none max-sm:bottom-0 max-sm:rounded-t-dialog sm:top-[max(1rem,8dvh)] sm:max-h-[84dvh] sm:rounded-dialog"
          finalFocus={finalFocus}
        >
          <AlertDialog.Title className="font-semibold text-dialog">{title}</AlertDialog.Title>
          <AlertDialog.Description className="text-ink-soft">
            {t('app.secretOnce')} {explanation}
          </AlertDialog.Description>
          {secrets.map(({ label, text }) => (
            <div
              className="flex items-center gap-1 rounded-dialog border border-line bg-raised py-2 pe-1.5 ps-3.5"
              key={text}
            >
              <span className="min-w-0 flex-1">
                {label !== null && <span className="block text-ink-soft text-meta">{label}</span>}
                <code className="block font-mono text-secondary [overflow-wrap:anywhere]">{text}</code>
              </span>
              <CopyButton
                isSecret
                label={label === null ? t('app.copySecret') : t('app.copyNamed', { what: label })}
                text={text}
              />
            </div>
          ))}
          {examples.map((example) => (
            <Example key={example.title} {...example} />
          ))}
          <label className="flex items-center gap-2.5" htmlFor={checkbox}>
            <input
              checked={isKept}
              className="size-4 accent-accent"
              id={checkbox}
              onChange={(event) => setIsKept(event.target.checked)}
              type="checkbox"
            />
            {t('app.secretSaved')}
          </label>
          <ButtonRow>
            <Button disabled={!isKept} onClick={onDone} tone="primary">
              {t('common.done')}
            </Button>
          </ButtonRow>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

function Example({ title, text }: { title: string; text: string }) {
  return (
    <figure className="flex flex-col gap-1">
      <figcaption className="flex items-center justify-between font-semibold text-secondary">
        {title}
        <CopyButton isSecret label={t('app.copyExample', { title })} text={text} />
      </figcaption>
      <pre className="whitespace-pre-wrap rounded-control bg-sunken p-3 font-mono text-meta [overflow-wrap:anywhere]">
        {text}
      </pre>
    </figure>
  );
}
