/** The person's answers about what removed devices of theirs did. One that fails stops no other, unless the relay is not reached. */
import { setImmediate } from 'node:timers/promises';
import { Failure } from '../../base/failure.ts';
import { toFailure } from '../../base/log.ts';
import type { ChangesAnswered } from '../../bridge/shapes/device.ts';
import { MAX_TARGETS } from '../../messaging/contents/kinds/delete.ts';
import { keptChangeKey, keptMessagesKey, keptPictureKey } from '../../messaging/contents/kinds/own.ts';
import { isTransient, RelayUnreachable } from '../../messaging/relay.ts';
import { type EngineParts, requireOnline } from '../parts.ts';
import { MAX_CHANGES, openChanges } from '../views/device-changes.ts';
import { type DeviceMessages, MAX_COUNTED, openMessages } from '../views/device-messages.ts';
import { type OpenGroupChange, openGroupChanges, undoOf } from '../views/group-changes.ts';
import { type OpenGroupPicture, openGroupPictures } from '../views/group-picture-changes.ts';
import { personRoleOf, rightsOf } from '../views/message-rights.ts';
import { answerChanges, answerTimers } from '../views/own-changes.ts';
import { composeControl } from '../writing/compose.ts';
import { setGroupPicture } from '../writing/group-picture.ts';
import { invite } from '../writing/invite.ts';
import { setDirectTimer } from '../writing/set-direct-timer.ts';
import { refTo } from './message-actions.ts';

type Answer = 'keep' | 'undo';

/** Groups answered at the same time. */
const ANSWERED_TOGETHER = 4;
/** Failures to reach a relay that concern one group only. */
const OF_ONE_GROUP: readonly string[] = ['group_keeps_changing', 'relay_wrong_answer'];

/** @param keys of open changes; others are ignored */
export async function answer(
  parts: EngineParts,
  keys: readonly string[],
  given: Answer,
): Promise<ChangesAnswered> {
  const { context } = parts;
  const { identity } = context;
  const failures: ChangesAnswered['failures'] = [];
  const names = new Map(openChanges(context).map(({ key, subject, group }) => [key, group ?? subject ?? '']));
  const attempt = async (key: string, work: () => unknown): Promise<Failure | null> => {
    try {
      await work();
      return null;
    } catch (error) {
      const failure = toFailure(error);
      failures.push({ name: names.get(key) ?? '', failure: failure.data });
      return failure;
    }
  };

  answerChanges(context, keys, given);
  for (const key of keys.filter((each) => each.startsWith('timer/')))
    await attempt(key, () =>
      answerTimers(context, [key], given, (address, seconds) =>
        setDirectTimer(parts, address, seconds, true),
      ),
    );

  const listed = identity.listedDevices();
  const open = openGroupChanges(context, listed, MAX_CHANGES).filter(({ key }) => keys.includes(key));
  const groups = Map.groupBy(open, ({ group }) => group.groupId).values();
  let isUnreached = false;
  const answerGroup = async (changes: readonly OpenGroupChange[]) => {
    for (const change of changes) {
      const failure = await attempt(change.key, () => answerGroupChange(parts, change, given));
      // 200 groups would wait for a relay that does not answer, one after the other.
      isUnreached ||= failure instanceof RelayUnreachable && !OF_ONE_GROUP.includes(failure.code);
      // The others of this group would wait for the same answer.
      if (failure && isTransient(failure)) return;
    }
  };
  const answerGroups = async () => {
    for (const changes of groups) if (!isUnreached) await answerGroup(changes);
  };
  await Promise.all(Array.from({ length: ANSWERED_TOGETHER }, answerGroups));

  for (const picture of openGroupPictures(context, listed, MAX_CHANGES))
    if (keys.includes(picture.key)) await attempt(picture.key, () => answerPicture(parts, picture, given));

  let undeleted = 0;
  for (const messages of openMessages(context, listed, MAX_CHANGES).filter(({ key }) => keys.includes(key)))
    await attempt(messages.key, async () => {
      if (given === 'undo') undeleted += await deleteForEveryone(parts, messages);
      else context.own.set(keptMessagesKey(messages.conversation.name, messages.deviceId), true);
    });
  return { changes: openChanges(context), failures: failures.slice(0, MAX_CHANGES), undeleted };
}

async function answerGroupChange(parts: EngineParts, open: OpenGroupChange, given: Answer): Promise<void> {
  const { context } = parts;
  const { group, change } = open;
  const keep = () => context.own.set(keptChangeKey(group.groupId, change.field), change.epoch);
  if (given === 'keep') return keep();
  const { account, groups } = requireOnline(parts);
  const undo = group.joined ? undoOf(open, group.state, account.address) : null;
  if (!undo) throw new Failure('roster_act_refused', { reason: 'not_allowed' });
  if ('make' in undo) {
    await groups.change(group.groupId, undo.make);
    return;
  }
  await invite(parts, group, [undo.invite]);
  // The person is a member again only after they have joined.
  keep();
}

function answerPicture(parts: EngineParts, { conversation, face }: OpenGroupPicture, given: Answer): void {
  const { context } = parts;
  if (given === 'keep') {
    context.own.set(keptPictureKey(face.owner), face.sentAt);
    return;
  }
  setGroupPicture(parts, conversation, null);
}

/** @returns the number of messages that cannot be deleted for everyone */
async function deleteForEveryone(
  parts: EngineParts,
  { conversation, deviceId }: DeviceMessages,
): Promise<number> {
  const { context } = parts;
  const role = personRoleOf(context, conversation, requireOnline(parts).account.address);
  const ids = context.ownDeviceMessages.in(conversation.id, deviceId, MAX_COUNTED);
  const messages = context.messages.getAll(ids);
  const able = messages.filter((message) => rightsOf(role, message, context.now()).deleteForEveryone);
  for (let from = 0; from < able.length; from += MAX_TARGETS) {
    if (from > 0) await setImmediate();
    // Some may have been deleted meanwhile.
    const targets = context.messages
      .getAll(able.slice(from, from + MAX_TARGETS).map(({ id }) => id))
      .filter(({ deletedBy }) => deletedBy === null)
      .map(({ id }) => refTo(context, conversation, String(id)));
    if (targets.length > 0) composeControl(parts, conversation, { kind: 'delete', targets }, null);
  }
  return messages.length - able.length;
}
