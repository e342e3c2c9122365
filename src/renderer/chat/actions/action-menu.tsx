import { Copy, ExternalLink } from 'lucide-react';
import { useRef } from 'react';
import { MenuAt, MenuItem } from '../../design/menu.tsx';
import { t } from '../../words.tsx';
import { useAskAboutLink } from '../outside-link.tsx';
import { articleOf, useActions } from './action-state.tsx';
import { type ActionName, copyAndConfirm, offeredActions } from './action-table.ts';

/** Actions that move the focus themselves. */
const movesFocus: readonly (ActionName | 'openLink')[] = [
  'openLink',
  'reply',
  'edit',
  'forward',
  'delete',
  'react',
];

/** All actions for one message: at the button with three dots, at the pointer, or at the message. */
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
    <MenuAt
      anchor={anchor}
      finalFocus={() => {
        const name = chosen.current;
        return name !== null && movesFocus.includes(name) ? false : articleOf(lastId.current);
      }}
      label={t('message.actions')}
      onClose={() => close('menu')}
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
            onClick={choose('copy', () => copyAndConfirm(link, state))}
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
    </MenuAt>
  );
}
