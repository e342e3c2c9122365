import { useInfiniteQuery } from '@tanstack/react-query';
import { MessageSquare } from 'lucide-react';
import type { Output } from '../../bridge/contract.ts';
import type { Conversation } from '../../bridge/shapes/conversation.ts';
import type { Message } from '../../bridge/shapes/message.ts';
import { callBridge } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { authorName } from '../people/author-name.ts';
import { Section } from '../people/details-section.tsx';
import { plainDate } from '../shared/time.ts';
import { t } from '../words.tsx';
import { showMessage } from './files/viewer/chat-place.ts';
import { linkParts } from './link-parts.ts';
import { OutsideLink } from './outside-link.tsx';

type Link = Output<'links.list'>['links'][number];

const PAGE = 5;

/** The links in messages of a chat, newest first. */
export function SharedLinks({ conversation: { id, state } }: { conversation: Conversation }) {
  const input = { conversationId: id, limit: PAGE };
  const { data, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: ['links.list', input, 'pages'],
    queryFn: ({ pageParam }) =>
      callBridge('links.list', { ...input, ...(pageParam !== null && { before: pageParam }) }),
    initialPageParam: null as Pick<Link, 'messageId' | 'place'> | null,
    getNextPageParam: ({ links, hasOlder }) => {
      const last = links.at(-1);
      return hasOlder && last ? { messageId: last.messageId, place: last.place } : null;
    },
  });
  // A request shows no links outside of its messages.
  if (state === 'request' || !data) return null;
  const messages = new Map(data.pages.flatMap((page) => page.messages.map((each) => [each.id, each])));
  const links = data.pages.flatMap((page) => page.links);
  return (
    <Section title={t('links.shared')}>
      {links.length === 0 && <p className="text-ink-soft">{t('links.none')}</p>}
      <ul aria-label={t('links.shared')} className="flex flex-col gap-2.5 empty:hidden">
        {links.map((link) => {
          const message = messages.get(link.messageId);
          return message && <Row key={`${link.messageId}/${link.place}`} link={link} message={message} />;
        })}
      </ul>
      {hasNextPage && (
        <Button busy={isFetching} className="self-start" onClick={() => void fetchNextPage()} size="small">
          {t('files.more')}
        </Button>
      )}
    </Section>
  );
}

function Row({ link: { href }, message }: { link: Link; message: Message }) {
  const { name, after } = linkParts(href);
  const isBot = message.bot?.name ?? (message.trust === 'token' ? '' : null);
  const author = message.state === 'received' ? authorName(message.author, isBot) : t('message.you');
  return (
    <li className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <p className="line-clamp-3 text-secondary [overflow-wrap:anywhere]" dir="ltr">
          <OutsideLink href={href}>
            <strong className="font-semibold">{name}</strong>
            {after === '/' ? '' : after}
          </OutsideLink>
        </p>
        <p className="text-ink-soft text-meta">
          <bdi>{author}</bdi> ·{' '}
          <time dateTime={new Date(message.at).toISOString()}>{plainDate(message.at)}</time>
        </p>
      </div>
      <IconButton
        icon={MessageSquare}
        label={t('links.showOf', { name })}
        onClick={() => showMessage(message)}
        size="small"
      />
    </li>
  );
}
