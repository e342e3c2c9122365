/** Events of faces. */
import { isWireAddress } from '../../protocol/wire-address.ts';
import type { Context } from '../context.ts';

/** Emits that the pictures of people or groups have changed. */
export function emitFaces({ emit, identity, own }: Context, owners: readonly string[]): void {
  for (const owner of owners) {
    if (owner === identity.get()?.address) emit('app.changed', {});
    if (isWireAddress(owner)) own.personChanged(owner);
    else own.groupChanged(owner);
  }
  if (owners.length > 0) own.emitChanges();
}
