/** Types of files by their first bytes. */
import { expect, test } from 'vitest';
import { mediaTypeOf, PROGRAM_TYPE, UNKNOWN_TYPE } from '../../../src/protocol/blob/media-type.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

test.each([
  ['image/png', hex('89504e470d0a1a0a 0000000d')],
  ['image/jpeg', hex('ffd8ffe000104a46')],
  ['image/gif', Buffer.from('GIF89a......')],
  ['image/webp', Buffer.from('RIFF....WEBPVP8 ')],
  ['video/mp4', Buffer.from('\0\0\0\x20ftypisom')],
  ['video/webm', hex('1a45dfa3 01000000')],
  ['audio/ogg', Buffer.from('OggS\0\x02')],
  ['audio/flac', Buffer.from('fLaC\0\0')],
  ['audio/wav', Buffer.from('RIFF....WAVEfmt ')],
  ['audio/mpeg', Buffer.from('ID3\x04\0')],
  ['audio/mpeg', hex('fffb9064')],
  [PROGRAM_TYPE, Buffer.from('MZ\x90\0')],
  [PROGRAM_TYPE, Buffer.from('\x7fELF\x02\x01')],
  [PROGRAM_TYPE, Buffer.from('#!/bin/sh\n')],
  [PROGRAM_TYPE, hex('cffaedfe07000001')],
  [PROGRAM_TYPE, hex('4c00000001140200')],
  [UNKNOWN_TYPE, Buffer.from('%PDF-1.7')],
  [UNKNOWN_TYPE, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg">')],
  [UNKNOWN_TYPE, Buffer.from('<!doctype html>')],
  [UNKNOWN_TYPE, Buffer.from('RIFF....AVI LIST')],
  [UNKNOWN_TYPE, Buffer.from('OggT')],
  [UNKNOWN_TYPE, Buffer.alloc(0)],
])('%s is known by its first bytes', (type, begin) => {
  expect(mediaTypeOf(begin)).toBe(type);
});
