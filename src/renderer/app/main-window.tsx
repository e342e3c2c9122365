import { type CSSProperties, useEffect, useRef } from 'react';
import type { Me } from '../../bridge/shapes/account.ts';
import type { OpenedLink } from '../../bridge/shapes/app.ts';
import { ConversationPane } from '../chat/conversation-pane.tsx';
import { DetailsPane } from '../chat/details-pane.tsx';
import { PlayerBar } from '../chat/files/player/player-bar.tsx';
import { NothingOpen } from '../chat-list/nothing-open.tsx';
import { SidePane } from '../chat-list/side-pane.tsx';
import { classNames } from '../design/class-names.ts';
import type { FirstLink } from '../first-run/step.ts';
import { GroupsDialog } from '../groups/groups-dialog.tsx';
import { InvitePeopleDialog } from '../invites/invite-people-dialog.tsx';
import { NewChatDialog } from '../people/new-chat-dialog.tsx';
import { SettingsPage } from '../settings/page/settings-page.tsx';
import { Announcements } from '../shared/announcements.tsx';
import { useNavigation } from '../shared/navigation.tsx';
import { t } from '../words.tsx';
import { AddedDevicesBanner } from './added-devices-banner.tsx';
import { Announcer } from './announcer.tsx';
import { BackupReminder } from './backup-reminder.tsx';
import { CommandPalette } from './command-palette.tsx';
import { DeletionBanner } from './deletion-banner.tsx';
import { EndingBanner } from './ending-banner.tsx';
import { HistoryStrip } from './history-strip.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { ListSplitter } from './list-splitter.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { UnprotectedBanner } from './unprotected-banner.tsx';
import { useActivity } from './use-activity.ts';
import { useAttention } from './use-attention.ts';
import { useDocumentTitle } from './use-document-title.ts';
import { useFailuresElsewhere } from './use-failures-elsewhere.ts';
import { useHiddenFocus } from './use-hidden-focus.ts';
import { useListWidth } from './use-list-width.ts';
import { useNetworkReturn } from './use-network-return.ts';
import { useShortcuts } from './use-shortcuts.ts';
import { useWayToPassphrase } from './use-way-to-passphrase.ts';

interface MainWindowProps {
  me: Me;
  /** True if the embedded relay with its contact @echo is available. */
  echoOffered: boolean;
  /** Links of first run, to be opened one after the other. */
  firstLinks: FirstLink[];
  /** Reports that the chat of a link is open, or that the person dismissed the link. */
  onFirstLink: (link: OpenedLink) => void;
  /** Reports that an agreed invite could not be opened: the person is asked. */
  onFirstLinkRefused: (invite: { text: string }) => void;
}

/**
 * Three panes. Narrow windows show one at a time; in medium ones the details overlay the chat; wide ones show all
 * three. Widths of the window are in `rem`, so that large text has fewer panes. In a very low window, as at 400 %
 * zoom, the page scrolls: each part keeps a usable height.
 */
export function MainWindow(props: MainWindowProps) {
  const { me, echoOffered, firstLinks, onFirstLink, onFirstLinkRefused } = props;
  useDocumentTitle();
  useShortcuts();
  useWayToPassphrase();
  useActivity();
  useNetworkReturn();
  const { conversationId, detailsOpen } = useNavigation();
  useAttention(conversationId);
  useFailuresElsewhere(conversationId);
  const list = useListWidth();
  const open = conversationId !== null;
  const details = open && detailsOpen;
  const heading = useRef<HTMLHeadingElement>(null);
  const window = useRef<HTMLElement>(null);
  useHiddenFocus(window);
  // First run and the lock screen had the focus and are gone.
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);
  return (
    <div className="flex h-full flex-col overflow-y-auto">
      <UnprotectedBanner />
      <EndingBanner me={me} />
      <DeletionBanner me={me} />
      <AddedDevicesBanner />
      <BackupReminder />
      <HistoryStrip />
      {!open && <PlayerBar fallback={heading} />}
      <main className="@container/window relative flex min-h-60 flex-1 overflow-hidden" ref={window}>
        <h1 className="sr-only outline-none" ref={heading} tabIndex={-1}>
          {t('app.name')}
        </h1>
        <div
          className={classNames(
            'h-full w-full shrink-0 border-line @min-[47.5rem]/window:w-(--list-width) @min-[47.5rem]/window:border-e',
            open && '@max-[47.5rem]/window:hidden',
          )}
          style={{ '--list-width': `${list.width / 16}rem` } as CSSProperties}
        >
          <SidePane echoOffered={echoOffered} me={me} />
        </div>
        <ListSplitter onChange={list.change} onDone={list.keep} width={list.width} />
        <section
          aria-label={t('app.chat')}
          className={classNames(
            'flex h-full min-w-0 flex-1 bg-surface',
            !open && '@max-[47.5rem]/window:hidden',
            details && '@max-[47.5rem]/window:hidden',
          )}
        >
          {open ? (
            <ConversationPane conversationId={conversationId} key={conversationId} />
          ) : (
            <NothingOpen echoOffered={echoOffered} me={me} />
          )}
        </section>
        {details && (
          <section
            aria-label={t('app.details')}
            className="h-full w-full shrink-0 overflow-y-auto border-line bg-canvas @max-[73.75rem]/window:absolute @max-[73.75rem]/window:inset-y-0 @max-[73.75rem]/window:inset-e-0 @max-[73.75rem]/window:z-20 @max-[73.75rem]/window:shadow-dialog @min-[47.5rem]/window:w-[20rem] @min-[47.5rem]/window:border-s"
          >
            <DetailsPane conversationId={conversationId} />
          </section>
        )}
        <NewChatDialog />
        <InvitePeopleDialog me={me} />
        <GroupsDialog />
        <SettingsPage me={me} />
        <CommandPalette />
        <ShortcutsDialog />
        <Announcer />
        <Announcements />
        <LinkDialog firsts={firstLinks} onFirst={onFirstLink} onRefused={onFirstLinkRefused} />
      </main>
    </div>
  );
}
