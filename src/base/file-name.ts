/** Names of files for a disk, in pages too. */
export { cutFileName } from '../protocol/blob/file-name.ts';
