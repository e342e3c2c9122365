import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useRef } from 'react';
import { t } from '../words.tsx';
import { Button, buttonClass } from './button.tsx';
import { ButtonRow } from './button-row.tsx';
import { classNames } from './class-names.ts';
import { focusAtOnce } from './focus-at-once.ts';
import { useEarlyReturn } from './use-early-return.ts';

const backdrop = 'appear-plain fixed inset-0 z-40 bg-[rgb(0_0_0/0.4)]';
const popup =
  'modal-window sheet appear fixed z-40 flex max-h-[min(44rem,100dvh)] flex-col bg-surface text-ink shadow-dialog outline-none ' +
  'max-sm:inset-x-0 max-sm:bottom-0 max-sm:rounded-t-dialog ' +
  'sm:inset-x-0 sm:top-[max(2rem,12dvh)] sm:mx-auto sm:max-h-[76dvh] sm:rounded-dialog';

interface DialogProps {
  title: string;
  open: boolean;
  onClose: () => void;
  initialFocus?: RefObject<HTMLElement | null>;
  /** The element focused afterwards, if it is not the previous one. */
  finalFocus?: () => HTMLElement | null;
  width?: string;
  children: ReactNode;
}

/** A window above the others, with a title and a close button. On narrow screens it appears from the bottom. */
export function Dialog({
  title,
  open,
  onClose,
  initialFocus,
  finalFocus,
  width = 'sm:w-[28rem]',
  children,
}: DialogProps) {
  const window = useRef<HTMLDivElement>(null);
  const early = useEarlyReturn(open, window, finalFocus);
  return (
    <Base.Root onOpenChange={(next) => !next && onClose()} open={open}>
      <Base.Portal>
        <Base.Backdrop className={backdrop} forceRender />
        <Base.Popup
          className={classNames(popup, width)}
          finalFocus={early.finalFocus}
          initialFocus={() => {
            early.noteOpener();
            return focusAtOnce(initialFocus?.current ?? window.current?.querySelector('button'));
          }}
          ref={window}
        >
          <div className="flex shrink-0 items-center justify-between border-line border-b py-2.5 pe-2.5 ps-5">
            <Base.Title className="font-semibold text-dialog">{title}</Base.Title>
            <Base.Close
              aria-label={t('common.close')}
              className="grid size-9 place-items-center rounded-control text-ink-soft hover:bg-sunken hover:text-ink"
            >
              <X aria-hidden="true" className="size-[1.15rem]" />
            </Base.Close>
          </div>
          <div className="min-h-0 overflow-y-auto overscroll-contain">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** The text that a screen reader reads with the title when the dialog opens. */
export function DialogText({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <Base.Description className={className} render={<div />}>
      {children}
    </Base.Description>
  );
}

interface ConfirmationProps {
  title: string;
  /** The consequences, and whether they can be undone. */
  explanation: string;
  /** The subject, to be checked. */
  detail?: ReactNode;
  action: string;
  /** 'primary' for an action that removes, ends or blocks nothing. */
  tone?: 'danger' | 'primary';
  open: boolean;
  onClose: () => void;
  onConfirm?: () => void;
  /** The element focused afterwards; true for the previous one. */
  finalFocus?: () => HTMLElement | true;
  /** Makes the action a link that opens this address outside. */
  href?: string;
}

/** Asks before an action that cannot be undone. Pressing Enter without reading cancels it. */
export function Confirmation(props: ConfirmationProps) {
  const {
    title,
    explanation,
    detail,
    action,
    tone = 'danger',
    open,
    onClose,
    onConfirm,
    finalFocus,
    href,
  } = props;
  const window = useRef<HTMLDivElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const early = useEarlyReturn(open, window, finalFocus);
  return (
    <AlertDialog.Root onOpenChange={(next) => !next && onClose()} open={open}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={backdrop} forceRender />
        <AlertDialog.Popup
          className={classNames(popup, 'gap-2 overflow-y-auto p-5 sm:w-[25rem]')}
          finalFocus={early.finalFocus}
          initialFocus={() => {
            early.noteOpener();
            return focusAtOnce(cancel.current);
          }}
          ref={window}
        >
          <AlertDialog.Title className="font-semibold text-dialog">{title}</AlertDialog.Title>
          <AlertDialog.Description className="text-ink-soft">{explanation}</AlertDialog.Description>
          {detail}
          <ButtonRow className="mt-4">
            <AlertDialog.Close className={buttonClass('plain')} ref={cancel}>
              {t('common.cancel')}
            </AlertDialog.Close>
            {href === undefined ? (
              <Button
                onClick={() => {
                  onClose();
                  onConfirm?.();
                }}
                tone={tone}
              >
                {action}
              </Button>
            ) : (
              <a
                className={buttonClass('primary')}
                href={href}
                onClick={onClose}
                rel="noopener noreferrer"
                target="_blank"
              >
                {action}
              </a>
            )}
          </ButtonRow>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
