/**
 * All kinds of version 1 as data, those included that the app does not have yet (docs/protocol.md, 'Contents').
 */
import type { z } from 'zod';
import type { Channel } from '../../../src/messaging/contents/channel.ts';
import { AttachmentContent } from '../../../src/messaging/contents/kinds/attachment.ts';
import { DeleteContent } from '../../../src/messaging/contents/kinds/delete.ts';
import { EditContent } from '../../../src/messaging/contents/kinds/edit.ts';
import { HelloContent } from '../../../src/messaging/contents/kinds/hello.ts';
import { InviteContent } from '../../../src/messaging/contents/kinds/invite.ts';
import {
  OwnHistoryContent,
  OwnHistoryEndContent,
  OwnHistoryRequestContent,
  OwnReadContent,
  OwnSetContent,
} from '../../../src/messaging/contents/kinds/own.ts';
import { PinContent } from '../../../src/messaging/contents/kinds/pin.ts';
import { PictureContent, ProfileContent } from '../../../src/messaging/contents/kinds/profile.ts';
import { ReactionContent } from '../../../src/messaging/contents/kinds/reaction.ts';
import { ReceiptContent } from '../../../src/messaging/contents/kinds/receipt.ts';
import { TextContent } from '../../../src/messaging/contents/kinds/text.ts';
import { TimerContent } from '../../../src/messaging/contents/kinds/timer.ts';
import { AcceptContent } from './kinds/accept.ts';
import { AskContent } from './kinds/ask.ts';
import { ContactContent } from './kinds/contact.ts';
import { MoveContent } from './kinds/move.ts';
import { PollContent, VoteContent } from './kinds/poll.ts';

export interface ContentForm {
  readonly as: 'message' | 'control';
  readonly channels: readonly Channel[];
  readonly schema: z.ZodType;
}

const BOTH: readonly Channel[] = ['direct', 'group'];
const DIRECT: readonly Channel[] = ['direct'];
const GROUP: readonly Channel[] = ['group'];

const message = (schema: z.ZodType, channels = BOTH): ContentForm => ({ as: 'message', channels, schema });
const control = (schema: z.ZodType, channels = BOTH): ContentForm => ({ as: 'control', channels, schema });

export const CONTENT_FORMS: ReadonlyMap<string, ContentForm> = new Map([
  ['text', message(TextContent)],
  ['attachment', message(AttachmentContent)],
  ['poll', message(PollContent)],
  ['contact', message(ContactContent)],
  ['invite', message(InviteContent, DIRECT)],
  ['ask', message(AskContent, DIRECT)],
  ['reaction', control(ReactionContent)],
  ['vote', control(VoteContent)],
  ['edit', control(EditContent)],
  ['delete', control(DeleteContent)],
  ['receipt', control(ReceiptContent, DIRECT)],
  ['timer', control(TimerContent, DIRECT)],
  ['pin', control(PinContent)],
  ['profile', control(ProfileContent)],
  ['picture', control(PictureContent, GROUP)],
  ['accept', control(AcceptContent, DIRECT)],
  ['hello', control(HelloContent)],
  ['move', control(MoveContent, DIRECT)],
  ['own.read', control(OwnReadContent, DIRECT)],
  ['own.set', control(OwnSetContent, DIRECT)],
  ['own.history', control(OwnHistoryContent, DIRECT)],
  ['own.history.request', control(OwnHistoryRequestContent, DIRECT)],
  ['own.history.end', control(OwnHistoryEndContent, DIRECT)],
]);
