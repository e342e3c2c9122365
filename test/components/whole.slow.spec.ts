/**
 * Everything else that scenes and gallery show is whole and accessible: light and dark, at 360, 800 and 1440 pixels, from left
 * to right and from right to left.
 */
import { alone } from '../../dev/gallery/alone.ts';
import { type SceneName, sceneNames } from '../../dev/scenes/index.ts';
import {
  first,
  testAlone,
  testConversation,
  testMirroredAlone,
  testMirroredGallery,
  testMirroredScene,
  testScene,
} from './whole.ts';

/** Scenes equal to `one` until something is opened in them; that is tested there. */
const likeOne: readonly SceneName[] = ['desktop', 'desktop-windows', 'desktop-limited'];

/** All except those in the first set. */
const others = <T>(all: readonly T[], inFirst: readonly T[]) => all.filter((each) => !inFirst.includes(each));

const scenes = others(sceneNames, likeOne);
for (const scene of others(scenes, first.scenes)) testScene(scene);
for (const scene of others(scenes, first.mirroredScenes)) testMirroredScene(scene);
for (const name of others(alone, first.alone)) testAlone(name);
for (const name of others(alone, first.mirroredAlone)) testMirroredAlone(name);
testMirroredGallery();

/** Other parts that can be open in a scene. */
for (const [scene, open] of [
  ['request', '2'],
  ['group', '2'],
  ['group', '3'],
  ['fork', '2'],
  ['fork', '4'],
] as const) {
  testConversation(scene, open);
}
