/** Limits and paths of files for pages. Separate from the schemas, which are not loaded in pages (./names.ts). */

/** Limit of files in one message. */
export const MAX_FILES = 10;
/** Length of the pieces in which a page writes a file, in bytes. The last piece is shorter. */
export const FILE_PIECE_BYTES = 1024 * 1024;
/** The largest picture of a person or group, in bytes. */
export const MAX_PICTURE_BYTES = 256 * 1024;
/** Folder of the paths for files in the host's origin. */
export const FILES_PATH = '/files/';
/** Pictures and voice messages up to this length are downloaded without a request, in bytes. */
export const AUTOMATIC_BYTES = 16 * 1024 * 1024;
/** Records of one call of an import. */
export const MAX_IMPORTED = 100;
