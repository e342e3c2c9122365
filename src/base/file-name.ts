/** Names of files for a disk, in pages too. */
export { cutFileName, extensionOf } from '../protocol/blob/file-name.ts';
