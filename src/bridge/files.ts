/**
 * Files of messages, as the interface sees them. Their bytes do not cross the bridge: a page writes and reads them under
 * a path of its host (src/host/file-answers.ts).
 */
import { z } from 'zod';
import { FailureShape } from './failure.ts';
import { FILES_PATH, MAX_FILES } from './file-bounds.ts';

export {
  AUTOMATIC_BYTES,
  FILE_PIECE_BYTES,
  FILES_PATH,
  MAX_FILES,
  MAX_IMPORTED,
  MAX_PICTURE_BYTES,
} from './file-bounds.ts';

/** Views of a file. `voice` is a recorded voice message. */
export const FileType = z.enum(['image', 'video', 'audio', 'voice', 'other']);
export type FileType = z.infer<typeof FileType>;

const pixels = z.number().int().min(1).max(0xffff_ffff);
const bytes = z.number().int().nonnegative();
const milliseconds = z.number().int().min(0).max(0xffff_ffff);
/** 64 loudnesses from 0 to 255. */
const Waveform = z.array(z.number().int().min(0).max(255)).length(64);

/** A file of a message. Except for size and `isHere`, its data are claims of the sender. */
export const MessageFile = z.strictObject({
  /** Valid on all systems, without a path or invisible characters. */
  name: z.string().min(1).max(255),
  size: bytes,
  type: FileType,
  width: pixels.nullable(),
  height: pixels.nullable(),
  durationMs: milliseconds.nullable(),
  /** Description of a picture. */
  alt: z.string().nullable(),
  waveform: Waveform.nullable(),
  blurhash: z.string().nullable(),
  /** A small PNG, JPEG, GIF or WebP by its first bytes, base64. */
  thumbnail: z.string().nullable(),
  /**
   * `remote`: at the relay only. `receiving` and `sending`: on its way, with progress in `files.progress`. `here`: complete
   * and verified on this device. `gone`: deleted at the relay, and not here.
   */
  state: z.enum(['remote', 'receiving', 'here', 'sending', 'gone']),
  /** Reason of its last failure. */
  problem: FailureShape.nullable(),
  /** Time of its deletion at the relay, if it is only there. */
  until: z.number().int().nonnegative().nullable(),
});
export type MessageFile = z.infer<typeof MessageFile>;

/** A prepared file with the sender's description, for sending. */
export const FileToSend = z.strictObject({
  /** Id of `files.begin`. */
  id: z.string().min(1).max(64),
  name: z.string().min(1).max(1_024),
  mediaType: z.string().max(127),
  width: pixels.optional(),
  height: pixels.optional(),
  durationMs: milliseconds.optional(),
  alt: z.string().max(500).optional(),
  voice: z.boolean().optional(),
  waveform: Waveform.optional(),
  blurhash: z.string().max(64).optional(),
  /** At most 8,192 bytes of WebP or JPEG, base64; at most 24,576 bytes in one message. */
  thumbnail: z.string().max(10_924).optional(),
});
export type FileToSend = z.infer<typeof FileToSend>;

/** A prepared picture of a person or group. */
export const ChosenPicture = z.strictObject({
  /** Id of `pictures.begin`. */
  id: z.string().min(1).max(64),
  width: pixels,
  height: pixels,
});
export type ChosenPicture = z.infer<typeof ChosenPicture>;

/** A file of a message by its place there. */
export const FilePlace = z.strictObject({
  messageId: z.string().min(1).max(128),
  index: z
    .number()
    .int()
    .min(0)
    .max(MAX_FILES - 1),
});
export type FilePlace = z.infer<typeof FilePlace>;

/** Address of a file's bytes for this page, until the data is locked or the app ends. */
export const FileAddress = z.strictObject({
  /** Path in the page's origin. With `?save`, the answer is a download. */
  path: z.string().startsWith(FILES_PATH),
  /** By its first bytes; `application/octet-stream` for types that the app does not show. */
  mediaType: z.string(),
  size: bytes,
});
export type FileAddress = z.infer<typeof FileAddress>;

const Use = z.strictObject({ files: z.number().int().nonnegative(), bytes });

/** Files of a conversation on this computer. A file in several messages counts once; `audio` includes voice messages. */
export const ChatUse = z.strictObject({
  conversationId: z.string().min(1).max(128),
  bytes,
  image: Use,
  video: Use,
  audio: Use,
  other: Use,
});
export type ChatUse = z.infer<typeof ChatUse>;

/** Limit of such downloads in one conversation, in bytes. */
export const MAX_AUTOMATIC_BYTES = 1024 * 1024 * 1024;
