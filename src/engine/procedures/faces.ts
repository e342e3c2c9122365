/** Pictures of the person and of their groups: prepared, uploaded, sent, and their addresses for a page. */
import { Failure } from '../../base/failure.ts';
import type { ChosenPicture } from '../../bridge/files.ts';
import { Picture } from '../../messaging/contents/kinds/profile.ts';
import type { AttachedFile } from '../../protocol/blob/file.ts';
import { encodeBase64Url } from '../../protocol/encoding.ts';
import type { StoredFile } from '../cache/files.ts';
import { AVATAR } from '../own/profile.ts';
import { type FileParts, requireOnline } from '../parts.ts';
import { requirePictureRight, setGroupPicture } from '../writing/group-picture.ts';
import { dropPrepared, prepareFile } from '../writing/prepare-file.ts';
import type { Procedures } from './implementation.ts';
import { ownView } from './own-view.ts';

type Names = `pictures.${'begin' | 'open'}` | 'profile.setPicture' | 'groups.setPicture';

/** Types that each app shows. */
const TYPES: ReadonlySet<string | null> = new Set(['image/webp', 'image/jpeg', 'image/png']);

export function faceProcedures(parts: FileParts): Pick<Procedures, Names> {
  const { context, addresses } = parts;
  const { conversations, faces, files, now } = context;

  /**
   * Uploads a prepared picture.
   * @returns the picture, and the failure if another attempt may succeed
   * @throws Failure file_unprepared, file_unfinished, input_malformed, and those of an upload
   */
  const uploaded = async ({
    id,
    width,
    height,
  }: ChosenPicture): Promise<{ picture: AttachedFile; failure: Failure | null }> => {
    const stored = files.get(Number(id));
    const picture = toPicture(stored, { width, height });
    try {
      return { picture, failure: await requireOnline(parts).faces.upload(stored as StoredFile) };
    } catch (error) {
      // For another try, the page writes the picture again.
      dropPrepared(parts, [Number(id)]);
      throw error;
    }
  };

  return {
    'pictures.begin': ({ size }) => prepareFile(parts, size),

    'pictures.open': ({ id }) => {
      const file = files.get(Number(id));
      const mediaType = file?.mediaType ?? null;
      const isFace = file !== null && faces.ownersOf(file.id).length > 0;
      if (!isFace || !file.isHere || !mediaType?.startsWith('image/')) throw new Failure('file_missing');
      const { path } = addresses.of({ id: file.id, name: 'picture', mediaType });
      return { path, size: file.size, mediaType };
    },

    'profile.setPicture': async ({ picture: chosen }) => {
      const online = requireOnline(parts);
      // Without a connection it is kept here, and sent later.
      const { picture = null, failure = null } = chosen ? await uploaded(chosen) : {};
      context.own.set(AVATAR, picture);
      if (picture && !failure) faces.setKept(online.account.address, now());
      online.faces.wake();
      return ownView(parts);
    },

    'groups.setPicture': async ({ conversationId, picture: chosen }) => {
      const conversation = conversations.get(Number(conversationId));
      if (!conversation) throw new Failure('group_unknown');
      // Before an upload.
      const { groupId } = requirePictureRight(parts, conversation);
      const { picture: file = null, failure = null } = chosen ? await uploaded(chosen) : {};
      setGroupPicture(parts, conversation, file, () => {
        // Without a connection it is shown here at once, and sent when it is at the relay.
        if (failure) files.planUpload(Number(chosen?.id));
        else if (file) faces.setKept(groupId, now());
      });
      return {};
    },
  };
}

/** @throws Failure file_unprepared, file_unfinished, input_malformed */
function toPicture(stored: StoredFile | null, size: { width: number; height: number }): AttachedFile {
  if (!stored?.isPrepared) throw new Failure('file_unprepared');
  if (!stored.digest) throw new Failure('file_unfinished');
  const { key, digest, mediaType } = stored;
  const picture = Picture.safeParse({
    ...size,
    key: encodeBase64Url(key),
    digest: encodeBase64Url(digest),
    size: stored.size,
    mediaType,
    name: `picture.${mediaType?.split('/')[1]}`,
  });
  if (!TYPES.has(mediaType) || !picture.success) throw new Failure('input_malformed');
  return picture.data;
}
