/** The types of an endpoint's example. */
import type { z } from 'zod';
import type { CredentialType } from '../../protocol/credentials.ts';
import type { Endpoint } from '../../protocol/endpoints/endpoint.ts';
import type { ENDPOINTS, EndpointName } from '../../protocol/endpoints.ts';
import type { ExamplePeople } from './people.ts';
import type { WorkedExample } from './sealing.ts';

type Part = 'params' | 'headers' | 'query' | 'request' | 'response';

/** A part exists exactly if the endpoint has it, in the form that code uses. */
type PartOf<E, Key extends Part> =
  E extends Record<Key, infer Schema extends z.ZodType>
    ? { [K in Key]: z.output<Schema> }
    : { [K in Key]?: undefined };

type ExampleOf<E extends Endpoint> = PartOf<E, 'params'> &
  PartOf<E, 'headers'> &
  PartOf<E, 'query'> &
  PartOf<E, 'request'> &
  PartOf<E, 'response'> & {
    /** A description of the example. */
    title: string;
    status: E['statuses'][number];
    /** The type of caller in the example; by default the first type that may call. */
    credential?: CredentialType;
  };

/** A call and its answer. */
export type Example<N extends EndpointName> = ExampleOf<(typeof ENDPOINTS)[N]>;

/** At least one example for each endpoint, the most usual first. */
export type Examples = {
  readonly [N in EndpointName]: readonly [Example<N>, ...Example<N>[]];
};

export const EXAMPLE_RELAY = new URL('https://relay.example');

/** The material of the examples. */
export interface ExampleWorld extends ExamplePeople {
  sealed: WorkedExample;
  /** Constant: signatures are over its host. */
  relay: URL;
}
