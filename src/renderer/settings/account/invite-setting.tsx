import { OwnInvites } from '../../invites/own-invites.tsx';
import type { SettingProps } from '../entry.ts';

/** Invite links to the person. */
export function InviteSetting({ me }: SettingProps) {
  return <OwnInvites relayUrl={me.relayUrl} />;
}
