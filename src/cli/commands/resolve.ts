/**
 * `waxwing resolve`: the directory.
 */
import type { Command } from 'commander';
import { toChecksumAddress } from '../../protocol/address.ts';
import { addConnectionOptions, type ConnectionOptions, withClient } from '../connection.ts';
import { columns } from '../output.ts';
import { parsePerson } from '../people.ts';
import { oneLine, print, printJson } from '../printing.ts';

export function addResolveCommand(program: Command): void {
  addConnectionOptions(
    program
      .command('resolve')
      .description('show the account of a handle or an address')
      .argument('<person>', '@handle or address', parsePerson),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ waxwing resolve @ann
  $ waxwing resolve 0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A
  $ waxwing resolve @ann --json | jq -r .address

The relay alone connects a handle with an address. waxwing keys shows the keys that the address has signed.`,
    )
    .action(resolve);
}

async function resolve(person: string, options: ConnectionOptions): Promise<void> {
  await withClient(options, async (client) => {
    const found = await client.resolve(person);
    if (options.json) return printJson(found);
    const mark = found.verified ? ', verified by the relay’s operator' : '';
    await print(
      columns([
        ['address', toChecksumAddress(found.address)],
        ['handle', found.handle === null ? 'none that is public' : `@${oneLine(found.handle)}${mark}`],
        ['name', found.displayName === null ? 'none' : oneLine(found.displayName)],
      ]),
    );
  });
}
