/** Pictures of people and groups. */
export const faces = {
  choose: 'Add picture',
  change: 'Change picture',
  remove: 'Remove picture',
  broken: 'This file can’t be used as a picture. Try a PNG, JPEG or WebP.',
  cropTitle: 'Crop picture',
  frame: 'Picture. Arrow keys move it, plus and minus change its size.',
  zoom: 'Zoom',
  save: 'Save picture',
};
