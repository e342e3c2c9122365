import type { Me } from '../../bridge/shapes.ts';
import { ConversationPane } from '../conversation/conversation-pane.tsx';
import { DetailsPane } from '../conversation/details-pane.tsx';
import { NothingOpen } from '../conversations/nothing-open.tsx';
import { SidePane } from '../conversations/side-pane.tsx';
import { classNames } from '../design/class-names.ts';
import { GroupsDialog } from '../groups/groups-dialog.tsx';
import { NewChatDialog } from '../people/new-chat-dialog.tsx';
import { SettingsPage } from '../settings/page/settings-page.tsx';
import { useNavigation } from '../shared/navigation.tsx';
import { t } from '../words.tsx';
import { Announcer } from './announcer.tsx';
import { CommandPalette } from './command-palette.tsx';
import { DeletionBanner } from './deletion-banner.tsx';
import { EndingBanner } from './ending-banner.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { UnprotectedBanner } from './unprotected-banner.tsx';
import { useActivity } from './use-activity.ts';
import { useAttention } from './use-attention.ts';
import { useDocumentTitle } from './use-document-title.ts';
import { useNetworkReturn } from './use-network-return.ts';
import { useShortcuts } from './use-shortcuts.ts';
import { useWayToPassphrase } from './use-way-to-passphrase.ts';

interface MainWindowProps {
  me: Me;
  /** Whether the embedded relay, and with it the contact @echo, is there to be greeted. */
  echoOffered: boolean;
}

/**
 * Three panes. Narrow windows show one at a time, middling ones two, wide ones all three: which, is decided by
 * the classes here and nowhere else.
 */
export function MainWindow({ me, echoOffered }: MainWindowProps) {
  useDocumentTitle();
  useShortcuts();
  useWayToPassphrase();
  useActivity();
  useNetworkReturn();
  const { conversationId, detailsOpen } = useNavigation();
  useAttention(conversationId);
  const open = conversationId !== null;
  const details = open && detailsOpen;
  return (
    <div className="flex h-full flex-col">
      <UnprotectedBanner />
      <EndingBanner me={me} />
      <DeletionBanner me={me} />
      <main className="flex min-h-0 flex-1 overflow-hidden">
        <h1 className="sr-only">{t('app.name')}</h1>
        <div
          className={classNames(
            'h-full w-full shrink-0 border-line md:w-[19.5rem] md:border-e xl:w-[21.5rem]',
            open && 'max-md:hidden',
            details && 'max-xl:hidden',
          )}
        >
          <SidePane echoOffered={echoOffered} me={me} />
        </div>
        <section
          aria-label={t('app.chat')}
          className={classNames(
            'flex h-full min-w-0 flex-1 bg-surface',
            !open && 'max-md:hidden',
            details && 'max-md:hidden',
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
            className="h-full w-full shrink-0 overflow-y-auto border-line bg-canvas md:w-[21rem] md:border-s"
          >
            <DetailsPane conversationId={conversationId} />
          </section>
        )}
        <NewChatDialog />
        <GroupsDialog />
        <SettingsPage me={me} />
        <CommandPalette />
        <ShortcutsDialog />
        <Announcer />
        <LinkDialog />
      </main>
    </div>
  );
}
