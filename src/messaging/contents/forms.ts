/**
 * All kinds of version 1 as data: their fields, whether each is a message or a control, and where it may be
 * (docs/protocol.md, 'Contents'). The registry takes a kind from here once the app has what it does and how it looks.
 */
import type { z } from 'zod';
import type { Channel } from './channel.ts';
import { AcceptContent } from './kinds/accept.ts';
import { AskContent } from './kinds/ask.ts';
import { AttachmentContent } from './kinds/attachment.ts';
import { ContactContent } from './kinds/contact.ts';
import { DeleteContent } from './kinds/delete.ts';
import { EditContent } from './kinds/edit.ts';
import { HelloContent } from './kinds/hello.ts';
import { InviteContent } from './kinds/invite.ts';
import { MoveContent } from './kinds/move.ts';
import { OwnHistoryContent, OwnReadContent, OwnSetContent } from './kinds/own.ts';
import { PinContent } from './kinds/pin.ts';
import { PollContent, VoteContent } from './kinds/poll.ts';
import { PictureContent, ProfileContent } from './kinds/profile.ts';
import { ReactionContent } from './kinds/reaction.ts';
import { ReceiptContent } from './kinds/receipt.ts';
import { TextContent } from './kinds/text.ts';
import { TimerContent } from './kinds/timer.ts';

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
]);
