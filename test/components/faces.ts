/** Shared by the quick and the slow tests of faces. */

export const faces = '[aria-hidden="true"] > img';
