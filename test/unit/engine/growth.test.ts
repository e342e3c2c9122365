/** The work of the engine at its start, at a reconnection and in an open chat does not grow with the history. */
import { randomBytes } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { Expiry } from '../../../src/engine/expiry.ts';
import { conversationProcedures } from '../../../src/engine/procedures/conversations.ts';
import { diagnosticsProcedures } from '../../../src/engine/procedures/diagnostics.ts';
import { messageProcedures } from '../../../src/engine/procedures/messages.ts';
import { encodeTime } from '../../../src/protocol/encoding.ts';
import { openSearchCache, personAddress, type SearchCache, START } from '../../support/search-cache.ts';
import { plansOf } from '../../support/statement-plans.ts';
import { countedRows } from '../../support/visited-rows.ts';

const OWN = personAddress(99);
const UNREAD = 5;
const opened: SearchCache[] = [];
afterEach(() => {
  for (const cache of opened.splice(0)) cache[Symbol.dispose]();
});

/** A chat with a person, the last of whose messages are unread, and a chat with own messages only. */
function historyOf(count: number) {
  const cache = openSearchCache();
  opened.push(cache);
  const { context, db } = cache;
  context.identity.replacePending({
    ...{ address: OWN, walletKey: null, phrase: null, deviceSeed: randomBytes(32), relayUrl: null },
  });
  const [chat, notes] = [cache.chatWith(1), cache.chatWith(99)];
  const ids: number[] = [];
  db.transaction(() => {
    for (let nth = 0; nth < count; nth++) {
      const id = cache.add(chat, `${nth}`, { deviceId: 'd' });
      cache.add(notes, `${nth}`, { sender: OWN, state: 'sent', trust: 'self' });
      context.conversations.messageAdded(chat, id, nth >= count - UNREAD ? 1 : 0, START);
      const version = { sentAt: encodeTime(START), id: 'AAAAAAAAAAAAAAAAAAAAAA', sender: personAddress(1) };
      context.annotations.setReaction(id, { by: 'person', address: OWN }, ['👍'], version);
      ids.push(id);
    }
  })();
  const lastRead = ids.at(-UNREAD - 1) ?? 0;
  context.conversations.markRead(chat, lastRead, UNREAD);
  while (!context.searchIndex.isComplete) context.transaction(() => undefined);
  const online = () => {
    throw new Error('not online');
  };
  const parts = { context, relays: { embedded: null, fixed: null }, online: null, goOnline: online };
  const work = () => {
    const expiry = new Expiry(context);
    expiry.start();
    expiry.close();
    context.resetFutureTimes();
    const conversations = conversationProcedures(parts);
    conversations['conversations.list']({});
    const id = String(chat);
    const firstUnread = String(ids.at(-UNREAD));
    messageProcedures(parts)['messages.list']({ conversationId: id, around: firstUnread, limit: 8 });
    conversations['conversations.markRead']({ id, upTo: firstUnread });
    context.timelines.hasReceived(notes, 'signed');
    context.timelines.firstReceivedAfter(notes, 0);
    context.timelines.readUpTo(notes, ids[0] ?? 0, 0);
    context.contacts.profiles([personAddress(1)]);
  };
  return { ...cache, parts, chat, work };
}

test('starting, reconnecting, listing, opening and reading visit as many rows of a long history as of a short one', () => {
  const visitedOf = (count: number) => {
    const { db, work } = historyOf(count);
    return countedRows(db).during(work);
  };
  const [statements, rows] = visitedOf(40);
  expect(rows).toBeGreaterThan(UNREAD);
  expect(visitedOf(400)).toEqual([statements, rows]);
});

test('no statement reads all messages, reactions or edits', () => {
  const { db, work } = historyOf(40);
  const plans = plansOf(db, work);
  expect(plans.length).toBeGreaterThan(20);
  const isWhole = (step: string) => /^SCAN (?:messages|m|reactions|edits)\b/.test(step);
  // The index has the disappearing messages only.
  const isOfDisappearing = (step: string) => step.endsWith('COVERING INDEX messages_by_end');
  const whole = plans.filter(({ steps }) => steps.some((step) => isWhole(step) && !isOfDisappearing(step)));
  expect(whole).toEqual([]);
});

test('unread messages are counted in an index, without reading them', () => {
  const { chat, context, db } = historyOf(40);
  const [plan] = plansOf(db, () => {
    expect(context.timelines.countReceivedAfter(chat, 0)).toBe(40);
  });
  expect(plan?.steps.join()).toContain('COVERING INDEX messages_received');
});

test('the counts of a fault report read no messages', () => {
  const { db, parts } = historyOf(40);
  const plans = plansOf(db, () => {
    expect(diagnosticsProcedures(parts)['diagnostics.counts']({})).toMatchObject({ messages: 80, failed: 0 });
  });
  const steps = plans.flatMap((plan) => plan.steps).filter((step) => step.includes('SCAN messages'));
  expect(steps).toHaveLength(2);
  expect(steps.filter((step) => !step.includes('COVERING INDEX'))).toEqual([]);
});
