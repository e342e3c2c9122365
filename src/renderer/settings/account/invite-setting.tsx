import { OwnInvites } from '../../invites/own-invites.tsx';
import { t } from '../../words.tsx';
import type { SettingProps } from '../entry.ts';

/** Invite links to the person. */
export function InviteSetting({ me }: SettingProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <h4 className="font-semibold text-secondary">{t('invites.own')}</h4>
      <OwnInvites relayUrl={me.relayUrl} />
    </div>
  );
}
