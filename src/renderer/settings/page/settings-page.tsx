import { Dialog } from '@base-ui/react/dialog';
import { useRef } from 'react';
import type { Me } from '../../../bridge/shapes/account.ts';
import { focusAtOnce } from '../../design/focus-at-once.ts';
import { useNavigation } from '../../shared/navigation.tsx';
import { Panes } from './panes.tsx';

/** Settings, above the whole window. The page below stays unchanged. */
export function SettingsPage({ me }: { me: Me }) {
  const { dialog, closeDialog, setting } = useNavigation();
  /** In a window with room for one pane, the button back to the list. */
  const back = useRef<HTMLButtonElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const initialFocus = () => {
    // An opened setting gets the focus automatically, unless the person has moved it already.
    if (setting !== null || popup.current?.contains(document.activeElement)) return false;
    return focusAtOnce(popup.current?.querySelector('input'));
  };
  return (
    <Dialog.Root
      onOpenChange={(open, details) => {
        if (open) return;
        if (details.reason !== 'escape-key' || !back.current?.checkVisibility()) return closeDialog();
        details.cancel();
        back.current.click();
      }}
      open={dialog === 'settings'}
    >
      <Dialog.Portal>
        <Dialog.Popup
          initialFocus={initialFocus}
          ref={popup}
          className="modal-window appear-plain fixed inset-0 z-40 flex justify-center bg-surface text-ink outline-none"
        >
          <div className="@container flex h-full w-full max-w-[60rem] flex-col">
            <Panes back={back} key={setting} me={me} onClose={closeDialog} target={setting} />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
