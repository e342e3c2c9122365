/**
 * The parts of the API: endpoints by the first segment of their path.
 */

import type { Endpoint } from '../../protocol/endpoints/endpoint.ts';
import { ENDPOINTS, type EndpointName } from '../../protocol/endpoints.ts';

type FirstSegment<Path extends string> = Path extends `/${infer Segment}/${string}`
  ? Segment
  : Path extends `/${infer Segment}`
    ? Segment
    : '';
type Segment = FirstSegment<(typeof ENDPOINTS)[EndpointName]['path']>;

interface Heading {
  title: string;
  description: string;
}

const CALLER: Heading = {
  title: 'Me',
  description: 'The caller: who it is, what its credential may do, its handle, devices and API keys.',
};
const DIRECTORY: Heading = {
  title: 'Directory',
  description: 'Who has a handle, and the keys to seal to.',
};

const HEADINGS: Readonly<Record<Segment, Heading>> = {
  me: CALLER,
  handles: DIRECTORY,
  keys: DIRECTORY,
  'pq-keys': DIRECTORY,
  envelopes: { title: 'Envelopes', description: 'Sending what is sealed, one or many at once.' },
  blobs: {
    title: 'Blobs',
    description:
      'Files, sealed on the sender’s machine. A message carries the key; the relay keeps the sealed bytes and never learns what they are.',
  },
  inbox: {
    title: 'Inbox',
    description: 'Receiving and acknowledging. Every device of an address has a queue of its own.',
  },
  groups: {
    title: 'Groups',
    description: 'Groups, their members’ keys, sealed posts to them, and the bot tokens that may post.',
  },
  links: {
    title: 'Links',
    description:
      'How a new computer waits to be linked, and how an old one of the same person lets it in. The code between them is the id of the new device and no secret.',
  },
  reports: { title: 'Reports', description: 'What people tell the operator of others who do harm.' },
  auth: {
    title: 'Login',
    description:
      'Sessions for apps that hold the wallet. Programs need none of this: they carry an API key or a group token.',
  },
  '': { title: 'Relay', description: 'What this relay is.' },
};

export interface Area extends Heading {
  endpoints: EndpointName[];
}

/** All endpoints, by area, in a useful order for readers. */
export const AREAS: readonly Area[] = [...new Set(Object.values(HEADINGS))].map((heading) => ({
  ...heading,
  endpoints: endpointNames().filter((name) => areaOf(ENDPOINTS[name]) === heading),
}));

/** The area of an endpoint. */
export function areaOf(endpoint: Endpoint): Heading {
  return HEADINGS[(endpoint.path.split('/')[1] ?? '') as Segment];
}

function endpointNames(): EndpointName[] {
  return Object.keys(ENDPOINTS) as EndpointName[];
}
