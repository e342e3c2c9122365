/** The person's answers about changes and messages by their removed devices. One that fails stops no other, unless the relay is not reached. */
import { setImmediate } from 'node:timers/promises';
import { Failure } from '../../base/failure.ts';
import { toFailure } from '../../base/log.ts';
import type { ChangesAnswered } from '../../bridge/shapes/device.ts';
import { MAX_TARGETS } from '../../messaging/contents/kinds/delete.ts';
import { keptChangeKey, keptMessagesKey, keptPictureKey } from '../../messaging/contents/kinds/own.ts';
import { isTransient, RelayUnreachable } from '../../messaging/relay.ts';
import type { Context } from '../context.ts';
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

/** Runs a step of an answer, and adds its failure to those of the answer. */
type Attempt = (key: string, work: () => unknown) => Promise<Failure | null>;

/** @param keys of open changes; others are ignored */
export async function answer(
  parts: EngineParts,
  keys: readonly string[],
  given: Answer,
): Promise<ChangesAnswered> {
  const { context } = parts;
  const failures: ChangesAnswered['failures'] = [];
  const names = new Map(openChanges(context).map(({ key, subject, group }) => [key, group ?? subject ?? '']));
  const attempt: Attempt = async (key, work) => {
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

  const listed = context.identity.listedDevices();
  const isAnswered = ({ key }: { key: string }) => keys.includes(key);
  const open = {
    changes: openGroupChanges(context, listed, MAX_CHANGES).filter(isAnswered),
    pictures: openGroupPictures(context, listed, MAX_CHANGES).filter(isAnswered),
    messages: openMessages(context, listed, MAX_CHANGES).filter(isAnswered),
  };
  const undeleted = given === 'keep' ? keep(context, open) : await undo(parts, open, attempt);
  return { changes: openChanges(context), failures: failures.slice(0, MAX_CHANGES), undeleted };
}

interface Open {
  changes: OpenGroupChange[];
  pictures: OpenGroupPicture[];
  messages: DeviceMessages[];
}

/** In one transaction: each of 200 would wait for the disk. @returns 0 */
function keep({ own, transaction }: Context, { changes, pictures, messages }: Open): number {
  transaction(() => {
    for (const each of changes) keepChange(own, each);
    for (const { face } of pictures) own.set(keptPictureKey(face.owner), face.sentAt);
    for (const { conversation, deviceId } of messages)
      own.set(keptMessagesKey(conversation.name, deviceId), true);
  });
  return 0;
}

function keepChange(own: Context['own'], { group, change }: OpenGroupChange): void {
  own.set(keptChangeKey(group.groupId, change.field), change.entry);
}

/** @returns the number of messages that cannot be deleted for everyone */
async function undo(
  parts: EngineParts,
  { changes, pictures, messages }: Open,
  attempt: Attempt,
): Promise<number> {
  await undoChanges(parts, changes, attempt);
  for (const { key, conversation } of pictures)
    await attempt(key, () => setGroupPicture(parts, conversation, null));
  let undeleted = 0;
  for (const each of messages)
    await attempt(each.key, async () => {
      undeleted += await deleteForEveryone(parts, each);
    });
  return undeleted;
}

async function undoChanges(
  parts: EngineParts,
  changes: readonly OpenGroupChange[],
  attempt: Attempt,
): Promise<void> {
  const groups = Map.groupBy(changes, ({ group }) => group.groupId).values();
  let isUnreached = false;
  const undoIn = async (ofGroup: readonly OpenGroupChange[]) => {
    for (const change of ofGroup) {
      const failure = await attempt(change.key, () => undoChange(parts, change));
      // 200 groups would wait for a relay that does not answer, one after the other.
      isUnreached ||= failure instanceof RelayUnreachable && !OF_ONE_GROUP.includes(failure.code);
      // The others of this group would wait for the same answer.
      if (failure && isTransient(failure)) return;
    }
  };
  const work = async () => {
    for (const ofGroup of groups) if (!isUnreached) await undoIn(ofGroup);
  };
  await Promise.all(Array.from({ length: ANSWERED_TOGETHER }, work));
}

async function undoChange(parts: EngineParts, open: OpenGroupChange): Promise<void> {
  const { group } = open;
  const { account, groups } = requireOnline(parts);
  const way = group.joined ? undoOf(open, group.state, account.address) : null;
  if (!way) throw new Failure('roster_act_refused', { reason: 'not_allowed' });
  if ('make' in way) {
    await groups.change(group.groupId, way.make);
    return;
  }
  await invite(parts, group, [way.invite]);
  // The person is a member again only after they have joined.
  keepChange(parts.context.own, open);
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
