/**
 * All kinds of version 1, those included that the app does not have yet (docs/protocol.md, 'Contents').
 */
import type { z } from 'zod';
import { contents } from '../../../src/messaging/contents/all-kinds.ts';
import type { Channel } from '../../../src/messaging/contents/channel.ts';
import { controlKind, type Kind, viewKind } from '../../../src/messaging/contents/kind.ts';
import { AcceptContent } from './kinds/accept.ts';
import { AskContent } from './kinds/ask.ts';
import { ContactContent } from './kinds/contact.ts';
import { MoveContent } from './kinds/move.ts';
import { PollContent, VoteContent } from './kinds/poll.ts';

const BOTH: readonly Channel[] = ['direct', 'group'];
const DIRECT: readonly Channel[] = ['direct'];

function message(name: string, schema: z.ZodType, channels = BOTH): Kind {
  const facts = { textField: null, editable: false, unsigned: false };
  return viewKind({ name, channels, schema, ...facts, summary: () => name });
}

export const allContents = contents.with(
  message('poll', PollContent),
  message('contact', ContactContent),
  message('ask', AskContent, DIRECT),
  controlKind({ name: 'vote', schema: VoteContent }),
  controlKind({ name: 'accept', channels: DIRECT, schema: AcceptContent }),
  controlKind({ name: 'move', channels: DIRECT, schema: MoveContent }),
);
