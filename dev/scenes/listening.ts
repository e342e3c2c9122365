import { addDirect, type Line } from '../fake/conversations.ts';
import { file, withFiles } from '../fake/files.ts';
import { ann, ben } from '../fake/people.ts';
import { newWorld, type World } from '../fake/world.ts';

const WAVEFORM = Array.from({ length: 64 }, (_, index) => Math.round(128 + 110 * Math.sin(index / 3)));
const voice = (author: Line[0], name: string): Line => [
  author,
  '',
  withFiles([file(name, { type: 'voice', durationMs: 120_000, waveform: WAVEFORM })]),
];

/** Voice messages of two minutes between many texts; another chat, most of whose voice messages cannot be played. */
export function listening(): World {
  const world = newWorld();
  const texts = Array.from({ length: 40 }, (_, index): Line => [index % 2 ? null : ann, `Text ${index + 1}`]);
  const { id } = addDirect(world, ann, [
    voice(ann, 'long-first.wav'),
    voice(null, 'long-second.wav'),
    ...texts,
    [ann, '', withFiles([file('long-song.wav', { durationMs: 120_000 })])],
  ]);
  addDirect(world, ben, [
    voice(ben, 'long-first.wav'),
    ...Array.from({ length: 5 }, (_, index) => voice(ben, `broken-${index}.ogg`)),
    voice(ben, 'last.wav'),
    [ben, 'Hello'],
  ]);
  return { ...world, open: id };
}
