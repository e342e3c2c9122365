/** Texts of the About page. */
export const about = {
  about: 'About',
  aboutVersion: 'Waxwing {version}',
  releases: 'Releases',
  releasesStable: 'Stable',
  releasesBeta: 'Beta',
  updates: 'Check for updates automatically',
  findUpdates: 'upgrade, new version, releases, beta, stable',
  updatesText: 'A few times a day. A new version installs when you quit.',
  updatesTextManual: 'A few times a day. Waxwing shows a notice of a new version, and you install it.',
  updatesCheck: 'Check now',
} as const;
