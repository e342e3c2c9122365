/** Preview of a link in a message. */

import { z } from 'zod';

/** A page as its server describes it, for a preview. Texts are on one line, without invisible characters. */
export const PageOfLink = z.strictObject({
  title: z.string().min(1).max(300),
  description: z.string().max(500).nullable(),
  /** A PNG, JPEG, GIF or WebP by its first bytes, at most 512 KiB, base64. */
  image: z.string().max(699_052).nullable(),
});
export type PageOfLink = z.infer<typeof PageOfLink>;

/** A preview for sending. Its picture is redrawn: at most 16,384 bytes of WebP or JPEG, base64. */
export const PreviewToSend = z.strictObject({
  url: z.string().min(1).max(2_048),
  ...PageOfLink.shape,
  image: z.string().max(21_848).nullable(),
});
export type PreviewToSend = z.infer<typeof PreviewToSend>;

/** A preview by the sender. Except for the host, its data are claims. */
export const LinkPreview = z.strictObject({
  ...PreviewToSend.shape,
  /** Host and port of the link, in ASCII. */
  host: z.string().min(1),
});
export type LinkPreview = z.infer<typeof LinkPreview>;
