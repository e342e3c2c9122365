/**
 * One case of each kind in scenes and gallery is whole and accessible. whole.slow.spec.ts has all others.
 */
import { expectWhole } from '../e2e/support/accessible.ts';
import { expect, lookingTest as test } from './support.ts';
import {
  first,
  testAlone,
  testConversation,
  testMirroredAlone,
  testMirroredScene,
  testScene,
} from './whole.ts';

for (const scene of first.scenes) testScene(scene);
for (const scene of first.mirroredScenes) testMirroredScene(scene);
for (const [scene, open] of first.conversations) testConversation(scene, open);
for (const name of first.alone) testAlone(name);
for (const name of first.mirroredAlone) testMirroredAlone(name);

test('every part in the gallery is complete and accessible', async ({ page, openGallery }) => {
  await openGallery();
  await expect(page.locator('[data-specimen]').first()).toBeVisible();
  await expectWhole(page);
});
