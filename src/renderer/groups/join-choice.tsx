import { longest } from '../../bridge/longest.ts';
import type { JoinSetting, JoinWay } from '../../bridge/shapes/group.ts';
import { RadioList } from '../design/setting-rows.tsx';
import { TextField } from '../design/text-field.tsx';
import { t } from '../words.tsx';

const ways = [
  { value: 'invite', label: t('groups.whoInvite'), explanation: t('groups.whoInviteText') },
  { value: 'password', label: t('groups.whoPassword'), explanation: t('groups.whoPasswordText') },
  { value: 'open', label: t('groups.whoOpen'), explanation: t('groups.whoOpenText') },
] as const satisfies readonly { value: JoinWay; label: string; explanation: string }[];

/** The current choice. A typed password is kept while another way is viewed. */
export interface JoinDraft {
  way: JoinWay;
  password: string;
}

/** The choice as a setting; null if a password is required and none is typed. */
export function settingOf({ way, password }: JoinDraft): JoinSetting | null {
  if (way !== 'password') return { mode: way };
  return password === '' ? null : { mode: way, password };
}

interface JoinChoiceProps {
  draft: JoinDraft;
  onChange: (draft: JoinDraft) => void;
  /** True if the group has a password, which stays unless another is typed. */
  hasPassword: boolean;
}

/** The ways to join a group: one of three, with the password if there is one. */
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
