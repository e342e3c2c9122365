/**
 * References of contents, winning values, receipts and previews.
 */
import { bodyDigest } from '../../../src/protocol/body-digest.ts';
import { sha256 } from '../../../src/protocol/crypto.ts';
import { encodeBase64Url, encodeUtf8 } from '../../../src/protocol/encoding.ts';
import { fixedWallet } from '../identities.ts';
import { hex } from '../vectors.ts';

const [ann, bob] = [fixedWallet(0x11).address, fixedWallet(0x12).address] as const;
const b = (value: number, length: number) => encodeBase64Url(new Uint8Array(length).fill(value));
const AT = Date.parse('2026-11-20T20:00:00.000Z');
const at = (offset: number) => new Date(AT + offset).toISOString();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export function refVectors() {
  const body = `{"id":"${b(0x0a, 16)}","sender":"${ann}","kind":"text","text":"hello"}`;
  const digest = bodyDigest(encodeUtf8(body));
  const target = { sender: ann, id: b(0x0a, 16), digest };
  return {
    digest: { body, sha256: hex(sha256(encodeUtf8(body))), digest },
    cases: [
      { why: 'the message is there', ref: target, target, leadsTo: 'target' },
      { why: 'it has not come', ref: target, target: null, leadsTo: 'pending' },
      {
        why: 'its sender saw another message',
        ref: { ...target, digest: b(0x0b, 16) },
        target,
        leadsTo: 'other',
      },
      {
        why: 'one byte of the body is another',
        ref: target,
        target: { ...target, digest: bodyDigest(encodeUtf8(`${body} `)) },
        leadsTo: 'other',
      },
    ],
    pending: pending(),
  };
}

/** Waiting controls, oldest first: number, sender, and age in hours. `dropped` counts from the oldest. */
function pending() {
  const is = (why: string, waiting: [sender: string, count: number, hours: number][], dropped: number[]) => ({
    why,
    now: at(0),
    waiting: waiting.map(([from, count, hours]) => ({ sender: from, count, since: at(-hours * HOUR) })),
    sender: ann,
    dropped,
  });
  const others = (count: number) =>
    Array.from({ length: count }, (_, index): [string, number, number] => [
      fixedWallet(0x80 + index).address,
      100,
      5,
    ]);
  return [
    is('nothing waits', [], []),
    is('99 of the sender', [[ann, 99, 3]], []),
    is(
      '100 of the sender',
      [
        [bob, 1, 4],
        [ann, 100, 3],
      ],
      [1],
    ),
    is('1,000 of all', [...others(9), [bob, 100, 4]], [0]),
    is('one waits for 45 days', [[bob, 1, 45 * 24]], []),
    is('one waits for longer', [[bob, 1, 45 * 24 + 1]], [0]),
  ];
}

export function registerVectors() {
  const version = (sentAt: number, id: string, sender = ann) => ({ sentAt: at(sentAt), id, sender });
  const low = b(0, 16);
  return {
    // `-` comes before `0` and after `9` as a value of base64url: the bytes decide, not the texts.
    ascending: [
      version(-1, b(0xff, 16)),
      version(0, low),
      version(0, `${low.slice(0, -2)}AQ`),
      version(0, b(0x10, 16)),
      version(0, b(0xd3, 16)),
      version(0, b(0xf8, 16)),
      version(0, b(0xff, 16)),
      version(0, b(0xff, 16), bob),
      version(1, low),
      version(DAY, low),
    ],
    sentAt: [
      { why: 'now', now: at(0), last: at(-HOUR), replaced: null, sentAt: at(0) },
      { why: 'the first', now: at(0), last: null, replaced: null, sentAt: at(0) },
      { why: 'the clock was set back', now: at(0), last: at(HOUR), replaced: null, sentAt: at(HOUR + 1) },
      {
        why: 'it replaces what a clock that is ahead has set',
        now: at(0),
        last: null,
        replaced: at(5),
        sentAt: at(6),
      },
      {
        why: 'it replaces what is dated further ahead than recipients accept',
        now: at(0),
        last: null,
        replaced: at(365 * DAY),
        sentAt: at(DAY),
      },
      {
        why: 'it replaces what is dated as far ahead as recipients accept',
        now: at(0),
        last: at(DAY - HOUR),
        replaced: at(DAY - 1),
        sentAt: at(DAY),
      },
      {
        why: 'the clock was a year ahead and was set back',
        now: at(0),
        last: at(365 * DAY),
        replaced: null,
        sentAt: at(DAY - HOUR),
      },
      { why: 'two in one millisecond', now: at(0), last: at(0), replaced: at(-1), sentAt: at(1) },
    ],
    sets: sets(),
    votes: votes(),
    edits: edits(),
    edited: edited(),
    disappearing: disappearing(),
  };
}

/** Bodies and the registers that they set. Two that set the same register replace each other. */
function sets() {
  const target = { sender: bob, id: b(0x0b, 16), digest: b(0x0d, 16) };
  const is = (sender: string, body: object, registers: Record<string, unknown>) => ({
    sender,
    body,
    registers,
  });
  const name = `${bob}/${target.id}`;
  const avatar = null;
  return [
    is(ann, { kind: 'reaction', target, emoji: ['🕊'] }, { [`reaction/${name}/${ann}`]: ['🕊'] }),
    is(bob, { kind: 'reaction', target, emoji: [] }, { [`reaction/${name}/${bob}`]: [] }),
    is(ann, { kind: 'vote', target, options: [1] }, { [`vote/${name}/${ann}`]: [1] }),
    is(bob, { kind: 'edit', target, text: 'hello' }, { [`edit/${name}`]: 'hello' }),
    is(bob, { kind: 'edit', target, caption: 'hello' }, { [`edit/${name}`]: 'hello' }),
    is(ann, { kind: 'pin', target, pinned: true }, { [`pin/${name}`]: true }),
    is(ann, { kind: 'timer', seconds: 30 }, { timer: 30 }),
    is(
      ann,
      { kind: 'profile', name: 'Ann', avatar },
      { [`profile/${ann}`]: { name: 'Ann', about: null, avatar } },
    ),
    is(ann, { kind: 'picture', file: null }, { picture: null }),
    is(
      ann,
      {
        kind: 'own.set',
        entries: [
          { key: 'setting/name', value: 'Ann' },
          { key: `pinned/${bob}`, value: null },
        ],
      },
      { 'own.set/setting/name': 'Ann', [`own.set/pinned/${bob}`]: null },
    ),
  ];
}

function votes() {
  const poll = { kind: 'poll', question: 'When?', options: ['Monday', 'Tuesday'], multiple: false };
  const is = (why: string, of: object, options: number[], counts: boolean, sentAt = at(0)) => ({
    why,
    poll: of,
    vote: { options, sentAt },
    counts,
  });
  const closes = at(HOUR);
  return [
    is('one', poll, [1], true),
    is('taken back', poll, [], true),
    is('two where one may choose one', poll, [0, 1], false),
    is('two where one may choose several', { ...poll, multiple: true }, [1, 0], true),
    is('an option that is not there', poll, [2], false),
    is('at the end', { ...poll, closes }, [0], true, closes),
    is('after the end', { ...poll, closes }, [0], false, at(HOUR + 1)),
  ];
}

function edits() {
  const is = (
    why: string,
    sentAfter: number,
    receivedAfter: number,
    problem: string | null,
    wasRequested = false,
  ) => ({
    why,
    target: { sentAt: at(0), receivedAt: at(1_000) },
    edit: { sentAt: at(sentAfter), receivedAt: at(1_000 + receivedAfter) },
    wasAskedFor: wasRequested,
    problem,
  });
  return [
    is('a minute later', 60_000, 60_000, null),
    is('a millisecond later, and it came first', 1, -10, null),
    is('at the same time', 0, 60_000, 'before_its_target'),
    is('a day later', DAY, DAY, null),
    is('sent later than a day', DAY + 1, DAY, 'sent_late'),
    is('dated back: it comes after two days', HOUR, 2 * DAY, null),
    is('dated back: it comes later', HOUR, 2 * DAY + 1, 'received_late'),
    is('it was asked for, and comes later', HOUR, 20 * DAY, null, true),
    is('it was asked for, and was sent late', DAY + 1, 20 * DAY, 'sent_late', true),
  ];
}

function edited() {
  const ref = { sender: ann, id: b(0x0a, 16), digest: b(0x0d, 16) };
  const text = { kind: 'text', text: 'helo', mentions: [{ at: 0, length: 4, address: bob }], expires: 30 };
  const files = { kind: 'attachment', files: [], caption: 'helo' };
  const edit = (fields: object) => ({ kind: 'edit', target: ref, ...fields });
  return [
    {
      why: 'a text, whose mentions go',
      body: text,
      edit: edit({ text: 'hello' }),
      becomes: { kind: 'text', text: 'hello', expires: 30 },
    },
    {
      why: 'a caption',
      body: files,
      edit: edit({ caption: 'hello' }),
      becomes: { ...files, caption: 'hello' },
    },
    {
      why: 'a caption that is removed',
      body: files,
      edit: edit({ caption: '' }),
      becomes: { kind: 'attachment', files: [] },
    },
    { why: 'a caption of a text', body: text, edit: edit({ caption: 'hello' }), becomes: null },
    { why: 'a text of files', body: files, edit: edit({ text: 'hello' }), becomes: null },
    { why: 'a text of a poll', body: { kind: 'poll' }, edit: edit({ text: 'hello' }), becomes: null },
  ];
}

function disappearing() {
  const is = (why: string, isOwn: boolean, shownAt: number | null, erasedAt: number) => ({
    why,
    isOwn,
    sentAt: at(0),
    receivedAt: at(HOUR),
    shownAt: shownAt === null ? null : at(shownAt),
    expires: 60,
    erasedAt: at(erasedAt),
  });
  return [
    is('own: from when it was sent', true, null, 60_000),
    is('own, though shown later', true, DAY, 60_000),
    is('of others: from when it was shown', false, DAY, DAY + 60_000),
    is('of others, never shown', false, null, HOUR + 30 * DAY + 60_000),
    is('of others, shown after 30 days', false, 40 * DAY, HOUR + 30 * DAY + 60_000),
  ];
}

export function receiptVectors() {
  const [laptop, phone, tablet] = [b(1, 16), b(2, 16), b(4, 16)];
  const receipt = {
    kind: 'receipt',
    delivered: { [laptop]: 9, [phone]: 2, [tablet]: 8 },
    read: { [laptop]: 5, [tablet]: 4 },
    from: { [tablet]: 6 },
    missing: { [laptop]: [3, 8] },
    skipped: { [phone]: [1] },
  };
  const is = (why: string, deviceId: string, seq: number, says: string | null) => ({
    why,
    deviceId,
    seq,
    says,
  });
  return {
    receipt,
    cases: [
      is('read', laptop, 5, 'read'),
      is('delivered', laptop, 6, 'delivered'),
      is('missing, though what is after it was read', laptop, 3, null),
      is('missing', laptop, 8, null),
      is('not yet', laptop, 10, null),
      is('of another device', phone, 2, 'delivered'),
      is('what was skipped says nothing of what came', phone, 1, 'delivered'),
      is('of a device that is not named', b(3, 16), 1, null),
      is('not counted', laptop, 0, null),
      is('the first covered number', tablet, 6, 'delivered'),
      is('before the first covered number', tablet, 5, null),
      is('read, but before the first covered number', tablet, 4, null),
    ],
  };
}

export function previewVectors() {
  const is = (why: string, text: string, url: string, host: string | null) => ({
    why,
    text,
    preview: { url, title: 'Example' },
    host,
  });
  const mention = (start: number, length: number) => ({ at: start, length, address: bob });
  return {
    previews: [
      is('a link in the text', 'See https://example.org/a now', 'https://example.org/a', 'example.org'),
      is('with a port', 'https://example.org:8443/', 'https://example.org:8443/', 'example.org:8443'),
      is(
        'letters of another alphabet are shown as they are',
        'https://exаmple.org',
        'https://exаmple.org',
        'xn--exmple-4nf.org',
      ),
      is('another link than the one in the text', 'See https://example.org', 'https://example.com', null),
      is('no https', 'http://example.org', 'http://example.org', null),
      is('a script', 'javascript:alert(1)', 'javascript:alert(1)', null),
      is(
        'a user before the host',
        'https://bank.example@evil.example',
        'https://bank.example@evil.example',
        null,
      ),
      is('two words', 'https://example.org two', 'https://example.org two', null),
      is('no link at all', 'hello', 'hello', null),
    ],
    // Places in bytes of UTF-8, and in the text as UTF-16 counts.
    mentions: [
      { why: 'one', text: 'Hi Bob', mentions: [mention(3, 3)], counts: [{ from: 3, to: 6, address: bob }] },
      {
        why: 'after a dove, which has four bytes',
        text: '🕊 Bob',
        mentions: [mention(5, 3)],
        counts: [{ from: 3, to: 6, address: bob }],
      },
      {
        why: 'up to the end',
        text: 'é',
        mentions: [mention(0, 2)],
        counts: [{ from: 0, to: 1, address: bob }],
      },
      { why: 'inside of a character', text: 'é', mentions: [mention(1, 1), mention(0, 1)], counts: [] },
      { why: 'beyond the end', text: 'Bob', mentions: [mention(0, 4), mention(3, 1)], counts: [] },
      {
        why: 'one over the other',
        text: 'Bobby',
        mentions: [mention(0, 3), mention(2, 3)],
        counts: [{ from: 0, to: 3, address: bob }],
      },
      {
        why: 'one before the other',
        text: 'Bob Ann',
        mentions: [mention(4, 3), mention(0, 3)],
        counts: [{ from: 4, to: 7, address: bob }],
      },
      {
        why: 'side by side',
        text: 'BobAnn',
        mentions: [mention(0, 3), mention(3, 3)],
        counts: [
          { from: 0, to: 3, address: bob },
          { from: 3, to: 6, address: bob },
        ],
      },
    ],
  };
}
