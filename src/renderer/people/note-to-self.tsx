import { personName } from '../../base/person-name.ts';
import { toSearchText } from '../../base/search-text.ts';
import type { Me } from '../../bridge/shapes/account.ts';
import type { Person } from '../../bridge/shapes/person.ts';
import { useBridgeQuery } from '../bridge.ts';
import { Avatar } from '../design/avatar.tsx';
import { isCalled } from '../shared/person.ts';
import { useMayAct } from '../shared/use-shut-out.ts';
import { t } from '../words.tsx';

/** The person, if a text matches their own name or the name of their notes, and they can write notes here. */
export function useNoteToSelf(text: string): Me | null {
  const me = useBridgeQuery('app.state', {}).data?.me ?? null;
  const mayAct = useMayAct();
  const wanted = text.trim();
  if (!me || !mayAct || wanted === '') return null;
  const isWanted =
    isCalled(me, wanted) ||
    toSearchText(t('chats.noteToSelf')).includes(toSearchText(wanted)) ||
    me.address.toLowerCase() === wanted.toLowerCase();
  return isWanted ? me : null;
}

/** The chat with oneself on one line. */
export function NoteLine({ person }: { person: Me | Person }) {
  return (
    <>
      <Avatar person={person} size="small" />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{t('chats.noteToSelf')}</span>
        <bdi className="block truncate text-ink-soft text-meta">{personName(person)}</bdi>
      </span>
    </>
  );
}
