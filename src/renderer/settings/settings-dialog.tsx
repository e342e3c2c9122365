import { type ReactNode, useEffect, useState } from 'react';
import type { Me, Settings } from '../../bridge/shapes.ts';
import { useAsk, useCommand } from '../bridge.ts';
import { Dialog } from '../design/dialog.tsx';
import { RadioRow } from '../design/setting-rows.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { useNavigation } from '../shared/navigation.tsx';
import { t } from '../words.tsx';
import { About } from './about.tsx';
import { AccountEnd } from './account/account-end.tsx';
import { ProfileForm } from './account/profile-form.tsx';
import { ApiSettings } from './api/api-settings.tsx';
import { Background } from './background.tsx';
import { BlockedPeople } from './blocked-people.tsx';
import { Devices } from './devices.tsx';
import { Help } from './help.tsx';
import { NotificationSettings } from './notifications/notification-settings.tsx';
import { AppLock } from './privacy/app-lock.tsx';
import { RecoveryPhrase } from './privacy/recovery-phrase.tsx';
import { ScreenCapture } from './privacy/screen-capture.tsx';
import { WhoCanRead } from './privacy/who-can-read.tsx';
import { Wipe } from './privacy/wipe.tsx';
import { ProxyChoice } from './proxy-choice.tsx';

export function SettingsDialog({ me }: { me: Me }) {
  const { dialog, closeDialog } = useNavigation();
  const [isWiping, setIsWiping] = useState(false);
  const { data: state } = useAsk('app.state', {});
  // A server that has no account tells nothing of its devices and keys; under Account stands what can be done.
  const isDeleted = state?.deletion?.kind === 'done';
  const isOpen = dialog === 'settings';
  useEffect(() => {
    if (!isOpen) setIsWiping(false);
  }, [isOpen]);
  return (
    <Dialog onClose={closeDialog} open={isOpen} title={t('settings.settings')} width="sm:w-[34rem]">
      <div className="flex flex-col gap-8 p-5">
        <Group title={t('settings.account')}>
          <ProfileForm me={me} />
          <AccountEnd me={me} onWipe={() => setIsWiping(true)} />
        </Group>
        <Preferences />
        <Group title={t('settings.privacy')}>
          <AppLock />
          <ScreenCapture />
          <RecoveryPhrase me={me} />
        </Group>
        <Group title={t('settings.storage')}>
          <Wipe asking={isWiping} onAsk={setIsWiping} />
        </Group>
        <Group title={t('settings.readers')}>
          <WhoCanRead />
        </Group>
        <Group title={t('settings.network')}>
          <ProxyChoice />
        </Group>
        <Group title={t('settings.server')}>
          <ServerFacts me={me} />
        </Group>
        {!isDeleted && (
          <>
            <Group title={t('settings.devices')}>
              <Devices me={me} onNewAccount={() => setIsWiping(true)} />
            </Group>
            <Group title={t('settings.api')}>
              <ApiSettings me={me} />
            </Group>
          </>
        )}
        <BlockedPeople />
        <Group title={t('settings.help')}>
          <Help />
        </Group>
        <AboutGroup />
      </div>
    </Dialog>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3">
      <h3 className="font-semibold text-interface">{title}</h3>
      {children}
    </section>
  );
}

const themes = [
  { value: 'system', label: t('settings.themeSystem') },
  { value: 'light', label: t('settings.themeLight') },
  { value: 'dark', label: t('settings.themeDark') },
] as const;

function Preferences() {
  const { data: settings } = useAsk('settings.get', {});
  const { data: host } = useAsk('host.info', {});
  const save = useCommand('settings.set');
  if (!settings) return <Skeleton className="h-32" />;
  const set = (part: Partial<Settings>) => save.mutate(part);
  return (
    <>
      <Group title={t('settings.appearance')}>
        <RadioRow
          legend={t('settings.theme')}
          onChoose={(theme) => set({ theme })}
          options={themes}
          value={settings.theme}
        />
      </Group>
      {/* A page in a browser has none of this: its title says what is unread. */}
      {host?.kind === 'electron' && (
        <>
          <Group title={t('settings.notifications')}>
            <NotificationSettings set={set} settings={settings} />
          </Group>
          <Group title={t('settings.background')}>
            <Background set={set} settings={settings} />
          </Group>
        </>
      )}
    </>
  );
}

/** A page in a browser is as new as the program that serves it. */
function AboutGroup() {
  const { data: host } = useAsk('host.info', {});
  if (host?.kind !== 'electron') return null;
  return (
    <Group title={t('settings.about')}>
      <About version={host.version} />
    </Group>
  );
}

function ServerFacts({ me }: { me: Me }) {
  const { data: host } = useAsk('host.info', {});
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-secondary">
      <dt className="text-ink-soft">{t('settings.serverAddress')}</dt>
      <dd className="[overflow-wrap:anywhere]">
        <bdi>{me.relayUrl}</bdi>
      </dd>
      {host && (
        <>
          <dt className="text-ink-soft">{t('settings.version')}</dt>
          <dd>{host.version}</dd>
        </>
      )}
    </dl>
  );
}
