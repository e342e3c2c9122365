/**
 * `waxwing keys`: someone's devices, proven.
 */
import type { Command } from 'commander';
import { toChecksumAddress } from '../../protocol/address.ts';
import { addConnectionOptions, type ConnectionOptions, withClient } from '../connection.ts';
import { columns } from '../output.ts';
import { parsePerson } from '../people.ts';
import { print, printJson } from '../printing.ts';

export function addKeysCommand(program: Command): void {
  addConnectionOptions(
    program
      .command('keys')
      .description('show and verify the devices of a person')
      .argument('<person>', '@handle or address', parsePerson),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ waxwing keys @ann
  $ waxwing keys 0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A --json

The wallet behind an address signs the list of its devices, and each device its own seal key. Anything else is an
error with exit code 1: the relay invented a key, or shows an old one.`,
    )
    .action(showKeys);
}

async function showKeys(person: string, options: ConnectionOptions): Promise<void> {
  await withClient(options, async (client) => {
    const { address, deviceList, sealKeys } = await client.keys(person);
    if (options.json) {
      const deviceKeys = sealKeys.map(({ key }) => key);
      return printJson({ address, deviceKeys, deviceList, sealKeys, proven: true });
    }
    const rows = deviceList.devices.map(({ deviceId, type, validUntil }) => {
      const sealKey = sealKeys.find((key) => key.deviceId === deviceId);
      return [deviceId, type, validUntil.slice(0, 10), sealKey?.key ?? 'none now: it cannot read'];
    });
    const unsigned = deviceList.unsigned.length === 0 ? 'none' : deviceList.unsigned.join(', ');
    await print(`${toChecksumAddress(address)}
Proven: the wallet of this address has signed device list ${deviceList.sequence} of ${deviceList.issued}.
Unsigned messages that it allows: ${unsigned}

${columns([['device', 'type', 'until', 'seal key'], ...rows])}`);
  });
}
