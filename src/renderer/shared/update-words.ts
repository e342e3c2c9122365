import type { UpdateState } from '../../bridge/shapes.ts';

/** How the app's own update is going, in one sentence. */
export function updateWords({ phase, version, problem }: UpdateState): string {
  switch (phase) {
    case 'idle':
      return 'Nobody has looked for a new version yet.';
    case 'checking':
      return 'Looking for a new version.';
    case 'current':
      return 'This is the newest version.';
    case 'downloading':
      return `Downloading version ${version}.`;
    case 'ready':
      return `Version ${version} is installed when you quit Waxwing.`;
    case 'failed':
      return problem ?? 'The new version could not be had.';
    case 'unavailable':
      return 'This copy of Waxwing does not update itself.';
  }
}
