/**
 * The interface on a fake bridge, in the scene that the address names.
 */
import { isScene } from '../scenes/index.ts';
import { queryValue } from './address.ts';
import { install } from './install.ts';

const name = queryValue('scene') ?? 'one';
if (!isScene(name)) throw new Error(`There is no scene called ${name}.`);
install(name);
// The interface reads its language when it is loaded, and asks for everything: not before there is someone to answer.
void import('../../src/renderer/main.tsx');
