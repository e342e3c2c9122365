import type { ProcedureName } from '../bridge/contract.ts';
import { t } from './words.tsx';

/** The failed action, for the title of the toast. */
const titles = {
  'account.keep': 'action.keepAccount',
  'account.reopen': 'action.reopenAccount',
  'connection.retry': 'action.retryConnection',
  'conversations.accept': 'action.acceptRequest',
  'conversations.acknowledgeDevices': 'action.dismissWarning',
  'conversations.block': 'action.block',
  'conversations.delete': 'action.deleteChat',
  'conversations.markUnread': 'action.markUnread',
  'conversations.markRead': 'action.markRead',
  'conversations.open': 'action.openChat',
  'conversations.setArchived': 'action.archive',
  'conversations.setMuted': 'action.mute',
  'conversations.setPinned': 'action.pinChat',
  'conversations.setDefaultTimer': 'action.setTimer',
  'conversations.setTimer': 'action.setTimer',
  'conversations.unblock': 'action.unblock',
  'developer.lock': 'action.changeAccess',
  'developer.revokeKey': 'action.revokeKey',
  'developer.unlock': 'action.changeAccess',
  'devices.answerChanges': 'action.saveSettings',
  'devices.rename': 'action.saveDeviceName',
  'devices.revoke': 'action.removeDevice',
  'diagnostics.openLogs': 'action.openLogs',
  'files.download': 'action.downloadFile',
  'files.launch': 'action.openFile',
  'files.stop': 'action.stopFile',
  'groups.change': 'action.changeGroup',
  'groups.setAdmin': 'action.changeGroup',
  'groups.transfer': 'action.changeGroup',
  'groups.goOn': 'action.changeGroup',
  'groups.invite': 'action.invite',
  'groups.join': 'action.joinGroup',
  'groups.leave': 'action.leaveGroup',
  'groups.createToken': 'action.createToken',
  'groups.removeMember': 'action.removeMember',
  'groups.revokeToken': 'action.revokeToken',
  'groups.withdrawInvitation': 'action.cancelInvitation',
  'messages.delete': 'action.deleteMessage',
  'messages.discard': 'action.deleteMessage',
  'messages.edit': 'action.editMessage',
  'messages.from': 'action.showMessage',
  'messages.forward': 'action.forward',
  'messages.pin': 'action.pin',
  'messages.react': 'action.react',
  'messages.retry': 'action.sendMessage',
  'messages.send': 'action.sendMessage',
  'people.chooseList': 'action.chooseList',
  'people.setNickname': 'action.saveNickname',
  'people.setVerified': 'action.setVerified',
  'profile.save': 'action.saveProfile',
  'settings.set': 'action.saveSettings',
  'updates.check': 'action.checkForUpdates',
} as const satisfies Partial<Record<ProcedureName, string>>;

/** @param procedure name of the failed call, if it was one */
export function failureTitle(procedure: unknown): string {
  const known = typeof procedure === 'string' && Object.hasOwn(titles, procedure);
  return t(known ? titles[procedure as keyof typeof titles] : 'action.other');
}
