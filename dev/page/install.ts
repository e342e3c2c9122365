// Before the schemas are made.
import '../fake/schemas-without-code.ts';
import { textSizes } from '../../src/bridge/setting-bounds.ts';
import { fakeBridge } from '../fake/bridge.ts';
import { DelayedAnswers } from '../fake/delayed-answers.ts';
import { slowBridge } from '../fake/slow-bridge.ts';
import type { World } from '../fake/world.ts';
import { type SceneName, scenes } from '../scenes/index.ts';
import { queryValue } from './address.ts';

/**
 * Sets `window.waxwing` for a scene, in the appearance of the URL; `window.delayed`, which delays answers; and
 * `window.emit`, which sends an event to the page.
 */
export function install(name: SceneName): void {
  const world: World = scenes[name]();
  const theme = queryValue('theme');
  if (theme === 'light' || theme === 'dark') world.settings = { ...world.settings, theme };
  const textSize = textSizes.find((size) => String(size) === queryValue('text'));
  if (textSize !== undefined) world.settings = { ...world.settings, textSize };
  if (queryValue('density') === 'compact') world.settings = { ...world.settings, density: 'compact' };
  const open = queryValue('open');
  if (open !== null) world.open = open === '' ? null : open;
  const delayed = new DelayedAnswers(queryValue('delay')?.split(','));
  Object.defineProperty(window, 'delayed', { value: delayed });
  const fake = fakeBridge(world, delayed);
  const seed = queryValue('slow');
  const { emit, ...bridge } = seed === null ? fake : slowBridge(fake, Number(seed));
  Object.defineProperty(window, 'emit', { value: emit });
  Object.defineProperty(window, 'waxwing', { value: bridge });
}
