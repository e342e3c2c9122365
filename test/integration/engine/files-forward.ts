/** Shared by the quick and the slow tests of files-forward. */

export const PDF = { name: 'report.pdf', mediaType: 'application/pdf' };
