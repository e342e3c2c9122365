import { useBridgeQuery } from '../bridge.ts';
import { CopyButton } from '../design/copy-button.tsx';
import { FactList } from '../design/fact-list.tsx';
import { useShutOut } from '../shared/use-shut-out.ts';
import { t } from '../words.tsx';
import type { SettingProps } from './entry.ts';

const states = {
  online: t('chats.online'),
  connecting: t('chats.connecting'),
  offline: t('chats.offline'),
};

/** The server's address, and the state of the connection. */
export function ServerFacts({ me }: SettingProps) {
  const { data: connection } = useBridgeQuery('connection.get', {});
  const isShutOut = useShutOut() !== null;
  return (
    <FactList>
      <dt className="text-ink-soft">{t('settings.serverAddress')}</dt>
      <dd className="flex flex-wrap items-center gap-x-1 gap-y-3 [overflow-wrap:anywhere]">
        <bdi>{me.relayUrl}</bdi>
        {/* New people enter it at their first start. */}
        <CopyButton className="-my-2.5" label={t('settings.copyServerAddress')} text={me.relayUrl} />
      </dd>
      <dt className="text-ink-soft">{t('settings.serverStatus')}</dt>
      <dd>{isShutOut ? t('chats.shutOut') : states[connection?.state ?? 'connecting']}</dd>
    </FactList>
  );
}
