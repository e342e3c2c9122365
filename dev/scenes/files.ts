import type { MessageFile } from '../../src/bridge/files.ts';
import { addDirect, addGroup, type Line } from '../fake/conversations.ts';
import { file, withFiles } from '../fake/files.ts';
import { ann, ben, chen, DAY, NOW, stranger } from '../fake/people.ts';
import { newWorld, type World } from '../fake/world.ts';

/** A blurred picture of hills. */
const BLUR = 'LEHV6nWB2yk8pyo0adR*.7kCMdnj';
const WAVEFORM = Array.from({ length: 64 }, (_, index) => Math.round(128 + 110 * Math.sin(index / 3)));

const picture = (name: string, width: number, height: number, part: Partial<MessageFile> = {}) =>
  file(name, { width, height, blurhash: BLUR, ...part });
const line = (author: Line[0], files: MessageFile[], text = '', part: Line[2] = {}): Line => [
  author,
  text,
  { ...withFiles(files), ...part },
];

/** Pictures, albums, sound, film and files in all states. */
export function files(): World {
  const world = newWorld({ mostFileBytes: 2_000_000 });
  const harbor = picture('harbor.png', 1200, 800, { alt: 'Two boats in the harbor of Lindau, in fog' });
  const album = ['mill', 'bridge', 'heron', 'reeds', 'dusk'].map((name, index) =>
    picture(`${name}.png`, index % 2 === 0 ? 900 : 600, index % 2 === 0 ? 600 : 900),
  );
  const { id } = addDirect(world, ann, [
    line(ann, [harbor], 'The *harbor* this morning.', { pinned: true }),
    line(null, [picture('tower.png', 300, 1500)]),
    line(ann, [picture('panorama.png', 3000, 300)], 'Six pictures in one'),
    line(null, album.slice(0, 2)),
    line(ann, album.slice(0, 3), 'Three of the walk'),
    line(ann, album, 'All of the walk'),
    line(ann, [picture('wings.gif', 32, 24)]),
    line(ann, [picture('slow.gif', 32, 24)]),
    line(ann, [picture('away.png', 800, 600, { state: 'remote', size: 20_000_000, until: NOW + 20 * DAY })]),
    line(ann, [picture('coming.png', 800, 600, { state: 'receiving' })]),
    line(ann, [picture('over.png', 800, 600, { state: 'gone' })]),
    line(null, [picture('leaving.png', 800, 600, { state: 'sending' })], '', { state: 'queued' }),
    line(null, [picture('stopped.png', 800, 600)], 'Not there yet', {
      state: 'failed',
      problem: { code: 'file_stopped', parameters: {} },
    }),
    line(ann, [file('drum.wav', { durationMs: 2_000 })]),
    line(ann, [file('voice.wav', { type: 'voice', durationMs: 2_000, waveform: WAVEFORM })]),
    line(null, [file('more.wav', { type: 'voice', durationMs: 2_000, waveform: WAVEFORM })]),
    line(ann, [
      file('film.webm', { width: 640, height: 360, size: 48_000_000, state: 'remote', until: NOW + 5 * DAY }),
    ]),
    line(
      ann,
      [
        file('Minutes of the meeting of the harbor club in March, with all names.pdf', { size: 1_240_000 }),
        file('list.csv', { size: 0, state: 'remote', until: NOW + 2 * DAY }),
        file('setup.exe', { size: 92_000_000, state: 'receiving' }),
        file('old.zip', { size: 3_400, state: 'gone' }),
        file('broken.zip', { state: 'remote', problem: { code: 'file_not_as_sent', parameters: {} } }),
      ],
      'For *Thursday*',
    ),
    line(null, [file('plan.txt', { size: 12 })]),
  ]);
  addGroup(
    world,
    'Pictures only',
    [ann, ben, chen],
    [[ben, 'Hello'], line(chen, [harbor]), line(ben, album.slice(0, 4), 'Four')],
  );
  addDirect(world, stranger, [line(stranger, [harbor, file('list.csv')], 'Look at these')], {
    state: 'request',
    unread: 1,
  });
  return { ...world, open: id };
}
