import { useEffect } from 'react';
import { useBridgeQuery, useCommand } from '../bridge.ts';
import { PlayerProvider } from '../chat/files/player/use-player.tsx';
import { Button } from '../design/button.tsx';
import { CopyDiagnostics } from '../design/copy-diagnostics.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { Mark } from '../design/mark.tsx';
import { Opening } from '../design/opening.tsx';
import { inOrder, withEntered, withoutLink } from '../first-run/first-links.ts';
import { FirstRun } from '../first-run/first-run.tsx';
import { ProfileStep } from '../first-run/profile-step.tsx';
import { RestoreStep } from '../first-run/restore-step.tsx';
import { useFirstLinks } from '../first-run/use-first-links.ts';
import { useLockNow } from '../lock/lock-now.tsx';
import { NavigationProvider } from '../shared/navigation.tsx';
import { forgetChat } from '../shared/remembered-place.ts';
import { isOnThisComputer } from '../shared/server.ts';
import { useAppearance } from '../shared/use-appearance.ts';
import { t } from '../words.tsx';
import { MainWindow } from './main-window.tsx';

/** Shows first run or the main window, depending on the engine's state. */
export function App() {
  useAppearance();
  const { data: state, error, refetch } = useBridgeQuery('app.state', {});
  const isSetUp = state?.phase === 'ready' && !state.offersRestore;
  const { links, change: changeLinks } = useFirstLinks(state !== undefined && !isSetUp);
  const endRestore = useCommand('setup.endRestore');
  const { needsPassphrase, settle } = useLockNow();
  const hasNothingToLock = state !== undefined && !state.me;
  useEffect(() => {
    if (needsPassphrase && hasNothingToLock) settle();
  }, [needsPassphrase, hasNothingToLock, settle]);
  const isNew = state?.phase === 'new';
  useEffect(() => {
    if (isNew) forgetChat();
  }, [isNew]);
  if (error) {
    return (
      <main className="flex h-full">
        <EmptyState
          action={
            <div className="flex flex-col items-center gap-3">
              <Button onClick={() => void refetch()} tone="primary">
                {t('common.tryAgain')}
              </Button>
              <CopyDiagnostics />
            </div>
          }
          heading="h1"
          picture={<Mark size={56} />}
          text={error.message}
          title={t('app.cannotStart')}
        />
      </main>
    );
  }
  if (!state || !links) return <Opening />;
  if (state.phase === 'new')
    return (
      <FirstRun
        links={links}
        onEntered={(entered) => changeLinks((now) => withEntered(now, entered))}
        relays={state.relays}
      />
    );
  if (state.phase === 'needs-handle' || !state.me) return <ProfileStep />;
  if (state.offersRestore) return <RestoreStep onNext={() => endRestore.mutate({})} />;
  return (
    <NavigationProvider deviceId={state.me.deviceId}>
      <PlayerProvider>
        <MainWindow
          // Another server may have a person with this handle.
          echoOffered={state.relays.embedded && isOnThisComputer(state.me.relayUrl)}
          firstLinks={inOrder(links)}
          me={state.me}
          onFirstLink={(link) => changeLinks((now) => withoutLink(now, link))}
          onFirstLinkRefused={({ text }) => changeLinks((now) => withEntered(now, { text, isAgreed: false }))}
        />
      </PlayerProvider>
    </NavigationProvider>
  );
}
