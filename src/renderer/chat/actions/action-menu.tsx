import { Copy, ExternalLink } from 'lucide-react';
import { useRef } from 'react';
import type { Message } from '../../../bridge/shapes/message.ts';
import { MenuAt, MenuItem } from '../../design/menu.tsx';
import { t } from '../../words.tsx';
import { useAskAboutLink } from '../outside-link.tsx';
import { type Anchor, articleOf, type Opened, useActions } from './action-state.tsx';
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

type OpenedMenu = Extract<Opened, { message: Message; anchor: Anchor }>;

/** All actions for one message: at the button with three dots, at the pointer, or at the message. */
export function ActionMenu() {
  const { opened } = useActions();
  return opened?.kind === 'menu' ? <OpenMenu {...opened} /> : null;
}

/** Mounted anew for each menu: the previous choice does not decide on the focus after this one. */
function OpenMenu({ message, anchor, link }: OpenedMenu) {
  const state = useActions();
  const { close } = state;
  const chosen = useRef<ActionName | 'openLink' | null>(null);
  const askAboutLink = useAskAboutLink();
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
        return name !== null && movesFocus.includes(name) ? false : articleOf(message.id);
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
