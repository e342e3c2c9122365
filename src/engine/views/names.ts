import type { Person } from '../../bridge/shapes/person.ts';

/** Person of an address as this device knows them. Each is looked up once. */
export type Names = (address: string) => Person;
