import { Dialog } from '../design/dialog.tsx';
import { useNavigation } from '../shared/navigation.tsx';
import { ShortcutList } from '../shared/shortcut-list.tsx';
import { t } from '../words.tsx';

/** The list of keyboard shortcuts, opened by a key. */
export function ShortcutsDialog() {
  const { dialog, closeDialog } = useNavigation();
  return (
    <Dialog onClose={closeDialog} open={dialog === 'shortcuts'} title={t('app.keys')}>
      <div className="p-5">
        <ShortcutList level="h3" />
      </div>
    </Dialog>
  );
}
