import {
  FileArchive,
  FileAudio,
  FileCode2,
  FileImage,
  FileSpreadsheet,
  FileText,
  FileVideo,
  File as GenericFile,
  type LucideIcon,
} from 'lucide-react';
import type { FileType } from '../../../bridge/files.ts';

const BY_EXTENSION: readonly [LucideIcon, string][] = [
  [FileText, 'pdf doc docx odt rtf txt md pages epub'],
  [FileSpreadsheet, 'csv xls xlsx ods numbers tsv'],
  [FileArchive, 'zip gz tar 7z rar xz bz2 zst'],
  [FileCode2, 'js ts json html css py rs go c h cpp java sh xml yaml yml toml sql'],
  [FileImage, 'png jpg jpeg gif webp heic heif avif svg bmp tif tiff psd'],
];

/** An icon by the type, or the end of the name. */
export function fileIcon(type: FileType, name: string): LucideIcon {
  if (type === 'video') return FileVideo;
  if (type === 'audio' || type === 'voice') return FileAudio;
  const extension = /\.(\w+)$/.exec(name.toLowerCase())?.[1] ?? '';
  return BY_EXTENSION.find(([, all]) => all.split(' ').includes(extension))?.[0] ?? GenericFile;
}
