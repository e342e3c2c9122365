/**
 * The library for bots and scripts: `import { RelayClient } from 'waxwing'`. docs/library.md is its guide.
 */

export type { FailureCode } from '../base/failure.ts';
export type { RefusedCode } from '../base/refused-sentences.ts';
export { MAX_FILES } from '../messaging/contents/kinds/attachment.ts';
export type { PlacedMention } from '../messaging/contents/mentions.ts';
export { MAX_TEXT_BYTES } from '../messaging/contents/text.ts';
export type { JoinProof } from '../messaging/groups/join.ts';
export { RefusedEnvelope } from '../messaging/receiving/refused-envelope.ts';
export type { ProvenKeys } from '../messaging/trust/judge.ts';
export type { AttachedFile } from '../protocol/blob/file.ts';
export { mediaTypeOf } from '../protocol/blob/media-type.ts';
export type { Ticket } from '../protocol/roster/forms.ts';
export { type Wallet, walletFromKey, walletFromPhrase } from '../protocol/wallet.ts';
export type { Control, Named, Reference } from './controls.ts';
export { Failure, IdentityError, UnverifiableError } from './errors.ts';
export type { FileAbout, FileToSend } from './files/source.ts';
export { sealFile } from './files/spool.ts';
export type { TransferOptions } from './files/transfer.ts';
export type { Missing } from './gaps.ts';
export { RelayRefusal, RelayUnreachable } from './http.ts';
export { type CreateOptions, Identity, type RegisterOptions } from './identity/identity.ts';
export type { KeptInvitation } from './identity/journal/invitations.ts';
export type { Protection } from './identity/sealed-file.ts';
export type { Message } from './message.ts';
export type { MessageFile } from './message-files.ts';
export type { ReceiveOptions } from './receiving.ts';
export { RelayClient } from './relay-client.ts';
export type { Sent } from './sending.ts';
export type {
  DirectFilesOptions,
  DirectOptions,
  FilesOptions,
  Group,
  GroupChange,
  NewBot,
  Person,
  RelayClientOptions,
  SendOptions,
} from './shapes.ts';
