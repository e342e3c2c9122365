import { longest } from '../../bridge/longest.ts';
import type { JoinSetting, JoinWay } from '../../bridge/shapes.ts';
import { RadioList } from '../design/setting-rows.tsx';
import { TextField } from '../design/text-field.tsx';
import { t } from '../words.tsx';

const ways = [
  { value: 'invite', label: t('groups.whoInvite'), explanation: t('groups.whoInviteText') },
  { value: 'password', label: t('groups.whoPassword'), explanation: t('groups.whoPasswordText') },
  { value: 'open', label: t('groups.whoOpen'), explanation: t('groups.whoOpenText') },
] as const satisfies readonly { value: JoinWay; label: string; explanation: string }[];

/** What is chosen so far. The password stays typed when another way is looked at. */
export interface JoinDraft {
  way: JoinWay;
  password: string;
}

/** What was chosen, as it is set; null while a password is needed and none is typed. */
export function settingOf({ way, password }: JoinDraft): JoinSetting | null {
  if (way !== 'password') return { mode: way };
  return password === '' ? null : { mode: way, password };
}

interface JoinChoiceProps {
  draft: JoinDraft;
  onChange: (draft: JoinDraft) => void;
  /** Whether the group has a password now, which stays if no other is typed. */
  hasPassword: boolean;
}

/** Who can join a group: one of three ways, with the password if that is the way. */
export function JoinChoice({ draft, onChange, hasPassword }: JoinChoiceProps) {
  return (
    <div className="flex flex-col gap-3">
      <RadioList
        legend={t('groups.who')}
        onChoose={(way) => onChange({ ...draft, way })}
        options={ways}
        value={draft.way}
      />
      {draft.way === 'password' && (
        <TextField
          autoComplete="new-password"
          label={hasPassword ? t('groups.passwordNew') : t('groups.password')}
          maxLength={longest.groupPassword}
          note={hasPassword ? t('groups.passwordKeep') : t('groups.passwordText')}
          onChange={(event) => onChange({ ...draft, password: event.target.value })}
          type="password"
          value={draft.password}
        />
      )}
    </div>
  );
}
