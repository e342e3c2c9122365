import { Menu as Base } from '@base-ui/react/menu';
import { Copy, ExternalLink } from 'lucide-react';
import { useRef } from 'react';
import { MenuItem, menuClass } from '../../design/menu.tsx';
import { t } from '../../words.tsx';
import { useAskAboutLink } from '../outside-link.tsx';
import { articleOf, useActions } from './action-state.tsx';
import { type ActionName, copyWords, offeredActions } from './action-table.ts';

/** What takes the focus itself. */
const movesFocus: readonly (ActionName | 'openLink')[] = [
  'openLink',
  'reply',
  'edit',
  'forward',
  'delete',
  'react',
];

/** All that can be done with one message: at the button with three dots, at the pointer, or at the message. */
export function ActionMenu() {
  const state = useActions();
  const { opened, close } = state;
  const chosen = useRef<ActionName | 'openLink' | null>(null);
  const askAboutLink = useAskAboutLink();
  const lastId = useRef('');
  if (opened?.kind !== 'menu') return null;
  const { message, anchor, link } = opened;
  lastId.current = message.id;
  const choose = (name: ActionName | 'openLink', act: () => void) => () => {
    chosen.current = name;
    close('menu');
    act();
  };
  return (
    <Base.Root
      onOpenChange={(isOpen) => {
        if (!isOpen) close('menu');
      }}
      open
    >
      {/* Inside of the landmark, as everything on the page. */}
      <Base.Portal container={document.querySelector('main')}>
        <Base.Positioner align="start" anchor={anchor} className="z-50" sideOffset={4}>
          <Base.Popup
            aria-label={t('message.actions')}
            className={menuClass}
            finalFocus={() => {
              const name = chosen.current;
              return name !== null && movesFocus.includes(name) ? false : articleOf(lastId.current);
            }}
          >
            {link && (
              <>
                <MenuItem
                  icon={ExternalLink}
                  label={t('message.openLink')}
                  onClick={choose('openLink', () => askAboutLink(link, articleOf(message.id)))}
                />
                <MenuItem
                  icon={Copy}
                  label={t('message.copyLink')}
                  onClick={choose('copy', () => copyWords(link, state))}
                />
              </>
            )}
            {offeredActions(message, state).map(([name, { icon, label, run, isDangerous }]) => (
              <MenuItem
                icon={icon}
                isDangerous={isDangerous ?? false}
                key={name}
                label={label}
                onClick={choose(name, () => run(message, state, articleOf(message.id) ?? anchor))}
              />
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
