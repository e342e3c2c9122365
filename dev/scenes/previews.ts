import { defaultSettings } from '../../src/bridge/settings.ts';
import { addDirect } from '../fake/conversations.ts';
import { ann, stranger } from '../fake/people.ts';
import { newWorld, type World } from '../fake/world.ts';

const url = 'https://example.org/harbor/tides?month=march';

/** Links with previews, and the setting that makes them. */
export function previews(): World {
  const world = newWorld({ settings: { ...defaultSettings, linkPreviews: true } });
  const preview = {
    url,
    host: 'example.org',
    title: 'Tides of the harbor in March, with a long title that fills more than one line of its card',
    description: 'High water and low water on each day.',
    image: null,
  };
  const { id } = addDirect(world, ann, [
    [ann, `The tides: ${url}`, { preview }],
    [null, `Thank you! See ${url} again`, { preview: { ...preview, description: null } }],
  ]);
  addDirect(world, stranger, [[stranger, `See ${url}`]], { state: 'request', unread: 1 });
  return { ...world, open: id };
}
