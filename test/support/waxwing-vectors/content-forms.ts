/**
 * The fields of all kinds of version 1, right and wrong.
 */
import { type DeviceList, signDeviceList } from '../../../src/protocol/device-list.ts';
import { encodeBase64Url } from '../../../src/protocol/encoding.ts';
import { signHome } from '../future/moving/home.ts';
import { firstList, fixedDevice, fixedWallet } from '../identities.ts';

const sender = fixedWallet(0x11).address;
const peer = fixedWallet(0x12).address;
const b = (value: number, length: number) => encodeBase64Url(new Uint8Array(length).fill(value));
const id = b(0x0a, 16);
const group = b(0x0c, 16);
const target = { sender: peer, id: b(0x0b, 16), digest: b(0x0d, 16) };
const deviceId = b(0x0e, 16);
const file = { key: b(0x61, 32), digest: b(0x63, 32), size: 5, mediaType: 'text/plain', name: 'hello.txt' };
const picture = { ...file, mediaType: 'image/webp', thumbnail: b(0x64, 4_096) };
const fallback = 'Ann sent something.';
const times = <T>(count: number, value: T): T[] => Array(count).fill(value);

const BASE: Record<string, object> = {
  text: { text: 'See https://example.org' },
  attachment: { files: [file], fallback },
  poll: { question: 'When?', options: ['Monday', 'Tuesday'], multiple: false, fallback },
  contact: { address: peer, fallback },
  invite: { group, name: 'Builds', ticket: ticket(), fallback },
  ask: { group, fallback },
  reaction: { target, emoji: ['🕊'] },
  vote: { target, options: [0] },
  edit: { target, text: 'hello' },
  delete: { targets: [target] },
  receipt: { delivered: { [deviceId]: 3 } },
  timer: { seconds: 30 },
  pin: { target, pinned: true },
  profile: { name: 'Ann', avatar: null },
  picture: { file: null },
  accept: {},
  hello: { list: { sequence: 1, hash: b(0x51, 32) } },
  move: { home: home() },
  'own.read': { conversation: { peer }, upTo: { sender: peer, id } },
  'own.set': { entries: [{ key: `muted/${peer}`, value: true }] },
  'own.history': { snapshot: b(0x65, 16), part: 1, parts: 2, file },
  'own.history.request': { snapshot: b(0x65, 16), from: 1 },
  'own.history.end': { snapshot: b(0x65, 16) },
};
const IN_GROUPS_ALONE = new Set(['picture']);
const DIRECT_ALONE = new Set([
  'invite',
  'ask',
  'receipt',
  'timer',
  'accept',
  'move',
  'own.read',
  'own.set',
  'own.history',
  'own.history.request',
  'own.history.end',
]);
const MESSAGES = new Set(['text', 'attachment', 'poll', 'contact', 'invite', 'ask']);

function ticket() {
  return {
    address: peer,
    issued: '2026-11-20T20:00:00.000Z',
    expires: '2026-12-20T20:00:00.000Z',
    by: sender,
    list: 1,
    deviceId: b(0x0e, 16),
    signature: b(0x0f, 64),
  };
}

function home() {
  return signHome(fixedDevice(0x21).key, {
    address: sender,
    relay: 'https://new.example',
    sequence: 1,
    list: 1,
    issued: Date.parse('2026-11-20T20:00:00.000Z'),
  });
}

type Channel = 'direct' | 'group';

export function formVectors() {
  const newest = signDeviceList(fixedWallet(0x11), firstList([fixedDevice(0x21)]));
  const kinds = Object.keys(BASE);
  return {
    /** Each kind with only its required fields, in both channels. */
    kinds: kinds.flatMap((kind) =>
      (['direct', 'group'] as const).map((channel) => {
        const isHere = channel === 'direct' ? !IN_GROUPS_ALONE.has(kind) : !DIRECT_ALONE.has(kind);
        return bodyOf(`${kind}`, isHere, kind, channel, {});
      }),
    ),
    fields: [...messages(), ...controls(newest), ...own()],
    messages: [...MESSAGES],
    extras: extras(),
    settings: settings(),
    drawn: [
      { emoji: '🕊', drawn: '🕊' },
      { emoji: '👩‍👩‍👧', drawn: '👩‍👩‍👧' },
      { emoji: '🇦🇹🇩🇪', drawn: '🇦🇹' },
      { emoji: 'ok', drawn: 'o' },
    ],
  };
}

/** A body of a kind, with these fields in place of its required ones; `undefined` removes one. */
function bodyOf(why: string, isRight: boolean, kind: string, channel: Channel, fields: object) {
  const inChannel = channel === 'direct' ? { peer } : { groupId: group };
  const common = { id, sender, sentAt: '2026-11-20T20:00:00.000Z', seq: 1, kind, ...inChannel };
  return { why, isRight, channel, body: { ...common, ...BASE[kind], ...fields } };
}

const of = (kind: string) => (why: string, isRight: boolean, fields: object) =>
  bodyOf(`${kind}: ${why}`, isRight, kind, kind === 'picture' ? 'group' : 'direct', fields);

function messages() {
  const [text, attachment, poll] = [of('text'), of('attachment'), of('poll')];
  const [contact, invite, ask] = [of('contact'), of('invite'), of('ask')];
  const mention = { at: 0, length: 3, address: peer };
  const preview = { url: 'https://example.org', title: 'Example' };
  return [
    text('a reply', true, { replyTo: target }),
    text('a reply without a digest', false, { replyTo: { ...target, digest: undefined } }),
    text('a mention', true, { mentions: [mention] }),
    text('a mention beyond the text is ignored', true, { mentions: [{ ...mention, at: 900 }] }),
    text('50 mentions', true, { mentions: times(50, mention) }),
    text('51 mentions', false, { mentions: times(51, mention) }),
    text('a mention of nobody', false, { mentions: [{ ...mention, address: 'ann' }] }),
    text('a mention of nothing', false, { mentions: [{ ...mention, length: 0 }] }),
    text('forwarded', true, { forwarded: true }),
    text('forwarded by a word', false, { forwarded: 'yes' }),
    text('a preview', true, { preview }),
    text('a preview without a title', false, { preview: { ...preview, title: undefined } }),
    text('a preview with a picture of 16,384 bytes', true, { preview: { ...preview, image: b(1, 16_384) } }),
    text('a preview with a picture of 16,385 bytes', false, { preview: { ...preview, image: b(1, 16_385) } }),
    attachment('with a caption, a reply and a mention', true, {
      caption: 'Ann',
      replyTo: target,
      mentions: [mention],
    }),
    attachment('no file', false, { files: [] }),
    attachment('ten files', true, { files: times(10, file) }),
    attachment('eleven files', false, { files: times(11, file) }),
    attachment('thumbnails of 24 KiB together', true, { files: times(6, picture) }),
    attachment('thumbnails of more', false, { files: times(7, picture) }),
    attachment('a caption of 4,097 bytes', false, { caption: 'a'.repeat(4_097) }),
    attachment('a file without a key', false, { files: [{ ...file, key: undefined }] }),
    poll('twelve options, and an end', true, { options: times(12, 'a'), closes: '2026-11-21T20:00:00.000Z' }),
    poll('thirteen options', false, { options: times(13, 'a') }),
    poll('one option', false, { options: ['a'] }),
    poll('an empty option', false, { options: ['a', ''] }),
    poll('whether one may choose several is not said', false, { multiple: undefined }),
    poll('an end that is no time', false, { closes: 'tomorrow' }),
    contact('with name and relay', true, { name: 'Bob', relay: 'https://relay.example' }),
    contact('a relay without https', false, { relay: 'http://relay.example' }),
    contact('a name of 80 characters of four bytes', true, { name: '🐦'.repeat(80) }),
    contact('a name of 81 characters', false, { name: 'b'.repeat(81) }),
    contact('a name of two lines', false, { name: 'Bob\nAlice' }),
    contact('no address', false, { address: undefined }),
    invite('at another relay', true, { relay: 'https://relay.example' }),
    invite('without a ticket', false, { ticket: undefined }),
    invite('a ticket without a signature', false, { ticket: { ...ticket(), signature: undefined } }),
    invite('a group that is no hash', false, { group: 'grp_example' }),
    ask('with a text', true, { text: 'It is me, Bob.' }),
    ask('a text of 301 bytes', false, { text: 'a'.repeat(301) }),
    ask('names the group `groupId`', false, { group: undefined, groupId: group }),
  ];
}

function controls(newest: DeviceList) {
  const [reaction, vote, edit, erase] = [of('reaction'), of('vote'), of('edit'), of('delete')];
  const [receipt, timer, pin, profile] = [of('receipt'), of('timer'), of('pin'), of('profile')];
  const [groupPicture, hello, move] = [of('picture'), of('hello'), of('move')];
  const devices = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [b(index + 1, 16), 7]));
  const avatar = { ...file, size: 262_144 };
  const entry = { body: b(0x7b, 20), deviceId, signature: b(0x0f, 64) };
  return [
    reaction('taken back', true, { emoji: [] }),
    reaction('five', true, { emoji: ['1', '2', '3', '4', '5'] }),
    reaction('six', false, { emoji: ['1', '2', '3', '4', '5', '6'] }),
    reaction('one twice', false, { emoji: ['🕊', '🕊'] }),
    reaction('several graphemes: taken, and only the first is drawn', true, { emoji: ['ok'] }),
    reaction('of 33 bytes', false, { emoji: ['a'.repeat(33)] }),
    reaction('an empty one', false, { emoji: [''] }),
    reaction('on nothing', false, { target: undefined }),
    vote('taken back', true, { options: [] }),
    vote('several', true, { options: [3, 0] }),
    vote('one twice', false, { options: [1, 1] }),
    vote('number 12', false, { options: [12] }),
    vote('by name', false, { options: ['Monday'] }),
    edit('of a caption', true, { text: undefined, caption: 'hello' }),
    edit('of a caption that is removed', true, { text: undefined, caption: '' }),
    edit('to no text', false, { text: '' }),
    edit('of both', false, { caption: 'hello' }),
    edit('of neither', false, { text: undefined }),
    edit('to an empty text', false, { text: '' }),
    edit('of a caption, with files', false, { text: undefined, caption: 'hello', files: [] }),
    erase('of 50', true, { targets: times(50, target) }),
    erase('of 51', false, { targets: times(51, target) }),
    erase('of none', false, { targets: [] }),
    receipt('of all sorts', true, {
      read: { [deviceId]: 2 },
      from: { [deviceId]: 1 },
      missing: { [deviceId]: [1] },
      skipped: { [deviceId]: [4, 5] },
      group,
    }),
    receipt('that says nothing', true, { delivered: undefined }),
    receipt('about 20 devices', true, { delivered: devices(20) }),
    receipt('about 21 devices', false, { delivered: devices(21) }),
    receipt('20 numbers', true, { missing: { [deviceId]: times(20, 1) } }),
    receipt('21 numbers', false, { missing: { [deviceId]: times(21, 1) } }),
    receipt('no number', false, { missing: { [deviceId]: [] } }),
    receipt('from number 0', false, { from: { [deviceId]: 0 } }),
    receipt('number 0', false, { delivered: { [deviceId]: 0 } }),
    receipt('about what is no device', false, { delivered: { laptop: 3 } }),
    timer('never', true, { seconds: 0 }),
    timer('a year', true, { seconds: 31_536_000 }),
    timer('29 seconds', false, { seconds: 29 }),
    timer('more than a year', false, { seconds: 31_536_001 }),
    pin('no longer', true, { pinned: false }),
    pin('it is not said whether', false, { pinned: undefined }),
    profile('with all', true, { about: 'Away on Fridays', avatar }),
    profile('a picture above 256 KiB', false, { avatar: { ...avatar, size: 262_145 } }),
    profile('nothing said of a picture', false, { avatar: undefined }),
    profile('no name', false, { name: undefined }),
    groupPicture('a picture', true, { file: avatar }),
    groupPicture('a picture above 256 KiB', false, { file: { ...avatar, size: 262_145 } }),
    hello('with lists, entries and a head', true, {
      lists: [newest],
      group,
      roster: { epoch: 3, hash: b(1, 32) },
      entries: [entry],
      head: { size: 3, root: b(2, 32), signature: b(3, 64) },
    }),
    hello('nine entries', false, { entries: times(9, entry) }),
    hello('lists and entries above 32 KiB together', false, {
      lists: [newest],
      entries: times(3, { ...entry, body: b(0x7b, 8_100) }),
    }),
    hello('epoch 0', false, { roster: { epoch: 0, hash: b(1, 32) } }),
    move('no home', false, { home: undefined }),
    move('to a relay without https', false, { home: { ...home(), relay: 'http://new.example' } }),
    move('further fields in the statement are ignored', true, { home: { ...home(), mood: 'glad' } }),
  ];
}

function own() {
  const [read, set, history] = [of('own.read'), of('own.set'), of('own.history')];
  const [request, end] = [of('own.history.request'), of('own.history.end')];
  const entry = { key: `pinned/${peer}`, value: true };
  const keyed = (count: number, value: unknown) =>
    Array.from({ length: count }, (_, index) => ({ key: `x/${index}`, value }));
  const deep: unknown = JSON.parse('['.repeat(60) + ']'.repeat(60));
  return [
    read('of a group', true, { conversation: { group } }),
    read('of both', false, { conversation: { peer, group } }),
    read('of neither', false, { conversation: {} }),
    set('an entry is taken away', true, { entries: [{ ...entry, value: null }] }),
    set('an entry that repeats the value of another device', true, {
      entries: [{ ...entry, by: b(0x0e, 16) }],
    }),
    set('an entry by what is no device', false, { entries: [{ ...entry, by: 'laptop' }] }),
    set('an entry without a value', false, { entries: [{ key: entry.key }] }),
    set('any JSON', true, { entries: [{ key: 'later/thing', value: { a: [1, null, deep] } }] }),
    set('a value of 4,096 bytes as JSON', true, { entries: [{ ...entry, value: 'a'.repeat(4_094) }] }),
    set('a value of 4,097 bytes as JSON', false, { entries: [{ ...entry, value: 'a'.repeat(4_095) }] }),
    set('50 entries', true, { entries: keyed(50, true) }),
    set('51 entries', false, { entries: keyed(51, true) }),
    set('no entry', false, { entries: [] }),
    set('more than 32 KiB together', false, { entries: keyed(9, 'a'.repeat(4_000)) }),
    set('a key twice', false, { entries: [entry, entry] }),
    set('a key of 129 bytes', false, { entries: [{ ...entry, key: 'k'.repeat(129) }] }),
    history('the last part', true, { part: 2 }),
    history('a part beyond the last', false, { part: 3 }),
    history('part 0', false, { part: 0 }),
    history('more than 1,000,000 parts', false, { parts: 1_000_001 }),
    request('after the last part of all', true, { from: 1_000_001 }),
    request('beyond', false, { from: 1_000_002 }),
    request('part 0', false, { from: 0 }),
    end('a snapshot of 15 bytes', false, { snapshot: b(0x65, 15) }),
  ];
}

function extras() {
  const head = { size: 3, root: b(2, 32), signature: b(3, 64) };
  const none = { expires: null, token: null, head: null };
  return [
    { why: 'none', body: {}, extras: none },
    {
      why: 'all',
      body: { expires: 30, token: b(1, 16), head },
      extras: { expires: 30, token: b(1, 16), head },
    },
    { why: 'a year', body: { expires: 31_536_000 }, extras: { ...none, expires: 31_536_000 } },
    {
      why: 'malformed ones count as none',
      body: { expires: 29, token: 'x', head: { size: 3 } },
      extras: none,
    },
    {
      why: 'one malformed does not harm the others',
      body: { expires: '30', head },
      extras: { ...none, head },
    },
  ];
}

function settings() {
  const upTo = { sender: peer, id };
  const linkKey = b(0x09, 32);
  const is = (key: string, value: unknown, isKnown: boolean) => ({ key, value, isKnown });
  return [
    is(`muted/${peer}`, true, true),
    is(`muted/${group}`, { until: '2026-11-21T20:00:00.000Z' }, true),
    is(`muted/${peer}`, 'for long', false),
    is(`pinned/${peer}`, null, true),
    is(`archived/${group}`, true, true),
    is(`nickname/${peer}`, 'Bobby', true),
    is(`nickname/${peer}`, '', false),
    is(`blocked/${peer}`, false, false),
    is(`verified/${peer}`, true, true),
    is(`unread/${group}`, upTo, true),
    is(`unread/${group}`, true, false),
    is(`device/${id}`, 'Laptop', true),
    is(`device/${id}`, true, false),
    is(`device/${peer}`, 'Laptop', false),
    is('setting/name', 'Ann', true),
    is('setting/handle', 'ann', true),
    is('setting/handle', 'Ann', false),
    is('setting/timer', 86_400, true),
    is('setting/timer', 29, false),
    is('setting/colour', 'red', false),
    is(`timer/${peer}`, { seconds: 0, sentAt: '2026-11-21T20:00:00.000Z', id, sender: peer }, true),
    is(`timer/${peer}`, { seconds: 30, sentAt: '2026-11-21T20:00:00.000Z', id }, false),
    is(`timer/${peer}`, 30, false),
    is(`link/${group}/${linkKey}`, { seed: linkKey }, true),
    is(`link/${group}/${linkKey}`, { seed: id }, false),
    is(`link/${group}`, { seed: linkKey }, false),
    is(`link/${group}/${linkKey}/${linkKey}`, { seed: linkKey }, false),
    is(`invite/${id}`, { madeAt: '2026-11-21T20:00:00.000Z' }, true),
    is(`invite/${id}`, { madeAt: '2026-11-21T20:00:00.000Z', invitation: `inv_${b(0x09, 32)}` }, true),
    is(`invite/${id}`, { madeAt: '2026-11-21T20:00:00.000Z', invitation: 'inv_9' }, false),
    is(`invite/${id}`, null, true),
    is(`invite/${id}`, true, false),
    is(`invite/${linkKey}`, { madeAt: '2026-11-21T20:00:00.000Z' }, false),
    is('muted/ann', true, false),
    is(`constructor/${peer}`, true, false),
    is('muted', true, false),
  ];
}
