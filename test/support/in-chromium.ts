/** The start of Chromium and its contexts, for tests and benchmarks. */

// Named by scripts/test.mjs, which finds it.
const executablePath = process.env.WAXWING_CHROMIUM;

export const inChromium = {
  viewport: { width: 1280, height: 800 },
  // Without motion: fading elements have too little contrast, and moving ones are missed by clicks. Also for contexts that
  // a test makes itself.
  contextOptions: { reducedMotion: 'reduce' as const },
  launchOptions: {
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      // Containers and root have no user namespaces to build Chromium's sandbox in.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      // Nothing here draws in three dimensions; a stand-in for a graphics card takes an eighth of the time.
      '--disable-gpu',
      '--disable-software-rasterizer',
    ],
  },
};
