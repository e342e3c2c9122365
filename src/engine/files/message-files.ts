/** Files of a message: the sender's claims beside the stored rows. */

import { fileTypeOf } from '../../messaging/contents/file-types.ts';
import { claimedFiles } from '../../messaging/contents/shown.ts';
import type { AttachedFile } from '../../protocol/blob/file.ts';
import { extensionOf, toFileName } from '../../protocol/blob/file-name.ts';
import { PROGRAM_TYPE, UNKNOWN_TYPE } from '../../protocol/blob/media-type.ts';
import type { PlacedFile } from '../cache/files.ts';
import type { Context } from '../context.ts';

export interface FileOfMessage {
  claimed: AttachedFile;
  stored: PlacedFile;
}

/** The files of a stored message; none for a deleted message, or without files. */
export function filesOf(context: Context, messageId: number): FileOfMessage[] {
  const message = context.messages.get(messageId);
  const conversation = message && context.conversations.get(message.conversationId);
  if (!message || !conversation || message.event || message.deletedBy !== null) return [];
  const judged = context.contents.judge(conversation.partner.kind, message.body);
  const claimed = claimedFiles(judged, message.body);
  return context.files.ofMessages([messageId]).flatMap((stored) => {
    const file = claimed[stored.place];
    return file ? [{ claimed: file, stored }] : [];
  });
}

/**
 * The type for showing a file: by its first bytes. A container of video bytes may have only sound. Anything else is
 * {@link UNKNOWN_TYPE}, which a page does not show.
 */
export function shownType({ claimed, stored }: FileOfMessage): string {
  const found = stored.mediaType ?? UNKNOWN_TYPE;
  const view = fileTypeOf(claimed);
  const isSound = view === 'audio' || view === 'voice';
  if (found.startsWith('image/')) return view === 'image' ? found : UNKNOWN_TYPE;
  if (found.startsWith('video/')) {
    if (isSound) return found.replace('video/', 'audio/');
    return view === 'video' ? found : UNKNOWN_TYPE;
  }
  return found.startsWith('audio/') && (isSound || view === 'video') ? found : UNKNOWN_TYPE;
}

/** Reports whether a file of this type is played, also while it is downloaded. */
export function isPlayed(mediaType: string): boolean {
  return mediaType.startsWith('audio/') || mediaType.startsWith('video/');
}

/** Reports whether a file is in an accepted chat: then it may be played while it is downloaded. */
export function isInAcceptedChat({ conversations, files }: Context, fileId: number): boolean {
  return files
    .messagesOf(fileId)
    .some(({ conversationId }) => conversations.get(conversationId)?.state === 'accepted');
}

/** Extensions that Linux, macOS or Windows run, install or follow. Sources: Chromium's file types, MS-DOS's PATHEXT. */
const PROGRAMS: ReadonlySet<string> = new Set(
  (
    'a3x action ade adp afploc ahk apk app appcontent-ms appimage appinstaller applescript application appref-ms appx appxbundle atloc ' +
    'ax bas bash bat bin cab chm class cmd com command configprofile cpl crx csh csproj deb desklink desktop diagcab dll dmg docm dotm ' +
    'ex ex_ exe fileloc fish flatpak flatpakref flatpakrepo ftploc fxp gadget grp hlp hta htm html img inetloc inf ins internetconnect ' +
    'inx iqy iso isp isu jar jnlp job js jse jsp kext ksh library-ms lnk mad maf mailloc mam mapimail maq mar mas mat mau mav maw mda ' +
    'mdb mde mdt mdw mdz mht mhtml mobileconfig mpkg msc msh msh1 msh1xml msh2 msh2xml mshxml msi msix msixbundle msp mst msu ' +
    'networkconnect newsloc ocx ops oqy osax osx paf pcd php pif pkg pl plg potm ppa ppam ppkg ppsm pptm prefpane prf prg ps1 ps1xml ps2 ' +
    'ps2xml psc1 psc2 pst pth py pyc pyo pyw pyz pyzw rb rdp reg rgs rpm rqy run saver scf scpt scptd scpte scr sct search-ms ' +
    'searchconnector-ms service settingcontent-ms sh shar shb shs shtml slk snap svg sys tcsh terminal theme themepack tool u3p url vb ' +
    'vbe vbp vbs vbscript vhd vhdx vncloc vsmacros webloc website workflow ws wsb wsc wsf wsh xbap xht xhtml xla xlam xll xlsb xlsm xltm ' +
    'xml xnk xrm-ms xsl zsh'
  ).split(' '),
);

/** Reports whether a file may be a program or script, by its name or its first bytes. */
export function isProgram(claimed: AttachedFile, { mediaType }: PlacedFile): boolean {
  return mediaType === PROGRAM_TYPE || PROGRAMS.has(extensionOf(toFileName(claimed.name)));
}
