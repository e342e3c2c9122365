/** Procedures of files and pictures, and of the disk that they use. */

import { z } from 'zod';
import { ChatUse, FileAddress, FilePlace, MAX_FILES, MAX_PICTURE_BYTES } from '../files.ts';
import { Message } from '../shapes/message.ts';
import { Id, Time } from '../shapes/values.ts';
import { Count, nothing } from './inputs.ts';

/** Answered by the engine. */
export const fileEngineProcedures = {
  /**
   * Size of the largest file that can be sent, in bytes: that of the server as it announced it last, or of any server before
   * its first answer.
   */
  'files.limit': { input: nothing, output: z.strictObject({ bytes: Count }) },
  /**
   * Prepares a file for sending. The page then writes its bytes in order, in pieces, to `path`: `PUT path?offset=0`. They
   * are sealed on arrival. Files that are not sent are removed at the next start.
   */
  'files.begin': {
    input: z.strictObject({ conversationId: Id, size: Count }),
    output: z.strictObject({ id: Id, path: z.string() }),
  },
  /** Prepares a picture of the person or of a group, which is written as the file of `files.begin`. */
  'pictures.begin': {
    input: z.strictObject({ size: z.number().int().min(1).max(MAX_PICTURE_BYTES) }),
    output: z.strictObject({ id: Id, path: z.string() }),
  },
  /** Address of the picture of a person or group. */
  'pictures.open': { input: z.strictObject({ id: Id }), output: FileAddress },
  /** Removes prepared files. */
  'files.drop': { input: z.strictObject({ ids: z.array(Id).max(MAX_FILES) }), output: nothing },
  /** Downloads a file of a message. */
  'files.download': { input: FilePlace, output: nothing },
  /** Stops the download of a file, or the upload of its message, which then has failed and can be sent again. */
  'files.stop': { input: FilePlace, output: nothing },
  /**
   * Address of a file that is here. For a sound or film that is being downloaded, answered once its first bytes are verified:
   * reading from the address then waits for the bytes.
   */
  'files.open': { input: FilePlace, output: FileAddress },
  /** Messages of a conversation with files, newest first: with a picture or video, or with other files. */
  'files.list': {
    input: z.strictObject({
      conversationId: Id,
      type: z.enum(['media', 'other']),
      before: Id.optional(),
      limit: z.number().int().min(1).max(100),
    }),
    output: z.strictObject({ messages: z.array(Message), hasOlder: z.boolean() }),
  },
  /** Files of a conversation that are at the relay only, and are deleted there within seven days. None of a request. */
  'files.expiring': {
    input: z.strictObject({ conversationId: Id }),
    output: z.strictObject({
      count: Count,
      bytes: Count,
      /** Time of the first deletion; null for none. */
      until: Time.nullable(),
    }),
  },
  /** Downloads these files. */
  'files.downloadExpiring': { input: z.strictObject({ conversationId: Id }), output: nothing },
  /** Use of this computer's disk, and the chats with files on it: the largest first. Bytes of the encrypted form. */
  'storage.get': {
    input: z.strictObject({ limit: z.number().int().min(1).max(1_000) }),
    output: z.strictObject({
      messageBytes: Count,
      fileBytes: Count,
      chats: z.array(ChatUse),
      hasMore: z.boolean(),
    }),
  },
  /**
   * Removes the files of a conversation, or with null of all, from this computer. Messages stay, and so do files that are not
   * sent yet, or that another conversation contains.
   */
  'storage.clear': { input: z.strictObject({ conversationId: Id.nullable() }), output: nothing },
} as const;

/** Answered by the host. */
export const fileHostProcedures = {
  /**
   * Saves a file that is here in a folder of the person's choice; false if the person cancels. Desktop only: a browser
   * downloads it from its address.
   */
  'files.save': { input: FilePlace, output: z.strictObject({ isSaved: z.boolean() }) },
  /**
   * Opens a file that is here in another program, after a question of the interface. Programs and scripts are refused.
   * Desktop only.
   */
  'files.launch': { input: FilePlace, output: nothing },
} as const;
