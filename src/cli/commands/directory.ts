/**
 * `waxwing me`, `waxwing resolve` and `waxwing keys`: who a credential is, and who others are.
 */
import type { Command } from 'commander';
import { toChecksumAddress } from '../../protocol/address.ts';
import { decodeTime } from '../../protocol/encoding.ts';
import { addConnectionOptions, CONNECTION_HELP, type ConnectionOptions, connect } from '../connection.ts';
import { columns, printable, show } from '../output.ts';

export function addDirectoryCommands(program: Command): void {
  addConnectionOptions(program.command('me'))
    .description('who the credential belongs to, and what it may do')
    .addHelpText(
      'after',
      `${CONNECTION_HELP}\n\nExamples:\n  $ WAXWING_RELAY=https://relay.example WAXWING_API_KEY=… waxwing me\n  $ waxwing me --json`,
    )
    .action(me);
  addConnectionOptions(program.command('resolve'))
    .description('the person behind a handle or an address')
    .argument('<person>', '@handle or 0x…')
    .addHelpText(
      'after',
      '\nExamples:\n  $ waxwing resolve @alice\n  $ waxwing resolve @alice --json | jq -r .address',
    )
    .action(resolvePerson);
  addConnectionOptions(program.command('keys'))
    .description('the devices of a person, and whether they prove themselves')
    .argument('<person>', '@handle or 0x…')
    .addHelpText('after', '\nExample:\n  $ waxwing keys @alice')
    .action(keys);
}

async function me(options: ConnectionOptions): Promise<void> {
  const me = await connect(options).client.me();
  const { credential } = me;
  show(options, me, () =>
    columns([
      ['Address', toChecksumAddress(me.address)],
      ['Handle', me.handle === null ? 'none' : `@${me.handle}`],
      ['Name', printable(me.displayName ?? 'none')],
      [
        'Credential',
        `${credential.type.replace('_', ' ')}${credential.name === null ? '' : `, ${printable(credential.name)}`}`,
      ],
      ...(credential.prefix === null ? [] : [['Begins with', credential.prefix]]),
      ...(credential.groupId === undefined ? [] : [['Group', credential.groupId]]),
      ['May', credential.entitlements.join(', ')],
      ['Expires', credential.expiresAt ?? 'never'],
    ]),
  );
}

async function resolvePerson(person: string, options: ConnectionOptions): Promise<void> {
  const found = await connect(options).client.resolve(person);
  show(options, found, ({ address, handle, displayName, verified }) =>
    columns([
      ['Address', toChecksumAddress(address)],
      [
        'Handle',
        handle === null ? 'none' : `@${handle}${verified ? ', verified by the relay’s operator' : ''}`,
      ],
      ['Name', printable(displayName ?? 'none')],
    ]),
  );
}

async function keys(person: string, options: ConnectionOptions): Promise<void> {
  const { address, deviceList, sealKeys } = await connect(options).client.keys(person);
  const devices = deviceList.devices.map((device) => ({
    ...device,
    sealKey: sealKeys.find(({ deviceId }) => deviceId === device.deviceId)?.key ?? null,
  }));
  const { sequence, unsigned } = deviceList;
  show(options, { address, sequence, unsigned, devices }, () =>
    [
      `${toChecksumAddress(address)} has signed list ${sequence} with ${count(devices.length, 'device')}:`,
      columns(
        devices.map(({ deviceId, type, validUntil, sealKey }) => [
          `  ${deviceId}`,
          type,
          decodeTime(validUntil) < Date.now() ? 'run out' : `until ${validUntil.slice(0, 10)}`,
          sealKey === null ? 'no seal key now' : `seal key ${sealKey}`,
        ]),
      ),
      unsigned.length === 0
        ? 'Unsigned messages in its name are not accepted by anybody.'
        : `Unsigned messages in its name are accepted: ${unsigned.join(', ')}.`,
    ].join('\n'),
  );
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
