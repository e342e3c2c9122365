import type { DeviceChange } from '../../bridge/shapes/device.ts';
import { timerName } from '../people/timer-choices.ts';
import { t } from '../words.tsx';

type JoinText = 'open' | 'password' | 'invite';

/** The sentence of a change by a removed device. */
export function changeText(change: DeviceChange): string {
  const { mark, isSet, text, seconds, messages } = change;
  const set = isSet ? 'yes' : 'no';
  const name = change.subject ?? '';
  const group = change.group ?? '';
  switch (mark) {
    case 'verified':
      return t('settings.changedVerified', { name, set });
    case 'blocked':
      return t('settings.changedBlocked', { name, set });
    case 'nickname':
      return isSet
        ? t('settings.changedNickname', { name, text: text ?? '' })
        : t('settings.changedNoNickname', { name });
    case 'muted':
      return t('settings.changedMuted', { name, set });
    case 'pinned':
      return t('settings.changedPinned', { name, set });
    case 'archived':
      return t('settings.changedArchived', { name, set });
    case 'displayName':
      return t('settings.changedName', { set, text: text ?? '' });
    case 'about':
      return t('settings.changedAbout', { set });
    case 'avatar':
      return t('settings.changedPicture', { set });
    case 'timer':
      return t('settings.changedTimer');
    case 'chatTimer':
      return t('settings.changedChatTimer', { name, time: timerName(seconds?.now ?? 0) });
    case 'groupTimer':
      return t('settings.changedGroupTimer', { name, time: timerName(seconds?.now ?? 0) });
    case 'deviceName': {
      const id = name.slice(0, 8);
      return isSet
        ? t('settings.changedDeviceName', { id, text: text ?? '' })
        : t('settings.changedNoDeviceName', { id });
    }
    case 'groupName':
      return t('settings.changedGroupName', { text: text ?? '' });
    case 'groupText':
      return t('settings.changedGroupText', { group, set });
    case 'groupJoin':
      return t('settings.changedGroupJoin', { group, way: text as JoinText });
    case 'groupPassword':
      return t('settings.changedGroupPassword', { group });
    case 'groupUnsigned':
      return t('settings.changedGroupUnsigned', { group, set });
    case 'groupMember':
      return t('settings.changedGroupMember', { name, group, set });
    case 'groupRole':
      return t('settings.changedGroupRole', { name, group, role: text as 'creator' | 'admin' | 'none' });
    case 'groupBot':
      return t('settings.changedGroupBot', { name, group, set });
    case 'groupBotName':
      return t('settings.changedGroupBotName', { group, text: text ?? '' });
    case 'groupLink':
      return t('settings.changedGroupLink', { group, set });
    case 'groupLinkEnd':
      return t('settings.changedGroupLinkEnd', { group });
    case 'groupPicture':
      return t('settings.changedGroupPicture', { group, set });
    case 'messages': {
      const { count = 0, isMore = false } = messages ?? {};
      if (change.group === null)
        return t(isMore ? 'settings.sentManyTo' : 'settings.sentMessagesTo', { name, count });
      return t(isMore ? 'settings.sentManyIn' : 'settings.sentMessagesIn', { name, count });
    }
  }
}

/** The previous value in words; null for none to show. */
export function textBefore({ mark, before, seconds }: DeviceChange): string | null {
  if (seconds !== null) return t('settings.changedTimerBefore', { time: timerName(seconds.before) });
  if (before === null) return null;
  return mark === 'groupJoin'
    ? t('settings.changedJoinBefore', { way: before as JoinText })
    : t('settings.changedBefore', { text: before });
}

/** The reason why a change cannot be undone; null if it can be. */
export function undoProblem({ mark, undo }: DeviceChange): string | null {
  if (undo === 'possible') return null;
  if (undo === 'left') return t('settings.undoLeft');
  if (undo === 'rights') return t('settings.undoRights');
  if (mark === 'groupPassword') return t('settings.undoPassword');
  return mark === 'messages' ? t('settings.undeletable') : t('settings.undoNever');
}
