import { Ellipsis } from 'lucide-react';
import type { Message } from '../../../bridge/shapes/message.ts';
import { classNames } from '../../design/class-names.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { t } from '../../words.tsx';
import { useRowActions } from './action-state.tsx';
import { actions } from './action-table.ts';

const inBar = ['react', 'reply'] as const;

/**
 * Beside a hovered or focused message: React, Reply, More. In a narrow chat only More, whose menu has all actions.
 */
export function ActionBar({ message, isOwn }: { message: Message; isOwn: boolean }) {
  const state = useRowActions();
  const isOpen = state.opened && 'message' in state.opened && state.opened.message.id === message.id;
  return (
    <div
      data-action-bar
      className={classNames(
        'pointer-events-none absolute top-0 z-10 flex rounded-control border border-line bg-raised p-0.5 opacity-0 shadow-raised transition-opacity duration-100',
        'has-focus-visible:pointer-events-auto has-focus-visible:opacity-100 group-hover/row:pointer-events-auto group-hover/row:opacity-100 group-focus-visible/row:pointer-events-auto group-focus-visible/row:opacity-100',
        isOpen && 'pointer-events-auto opacity-100',
        isOwn ? 'inset-e-full me-1' : 'inset-s-full ms-1',
      )}
    >
      {inBar.map((name) => {
        const { icon, label, keys, isOffered, run } = actions[name];
        if (!isOffered(message, state)) return null;
        return (
          <IconButton
            className="@max-[34rem]/timeline:hidden"
            size="small"
            icon={icon}
            key={name}
            keys={keys}
            label={label}
            onClick={({ currentTarget }) => run(message, state, currentTarget)}
          />
        );
      })}
      <IconButton
        aria-haspopup="menu"
        size="small"
        icon={Ellipsis}
        keys="Enter"
        label={t('message.more')}
        onClick={({ currentTarget }) => state.open({ kind: 'menu', message, anchor: currentTarget })}
      />
    </div>
  );
}
