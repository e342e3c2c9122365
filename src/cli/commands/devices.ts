/** `waxwing devices`: the devices that may read and write for an identity's address. */
import type { Command } from 'commander';
import { argumentError, commandError } from '../command-error.ts';
import { addConnectionOptions, type ConnectionOptions, withIdentity } from '../connection.ts';
import { columns } from '../output.ts';
import { print, printJson } from '../printing.ts';

export function addDevicesCommand(program: Command): void {
  const devices = program
    .command('devices')
    .description('list the devices of your address, and remove one')
    .addHelpText('after', '\nExamples:\n  $ waxwing devices list\n  $ waxwing devices remove "$DEVICE"');
  addConnectionOptions(devices.command('list').description('list the devices that your wallet has certified'))
    .addHelpText('after', '\nExamples:\n  $ waxwing devices list\n  $ waxwing devices list --json')
    .action(listDevices);
  addConnectionOptions(
    devices
      .command('remove')
      .description('remove a device from the list: it can no longer read or send')
      .argument('<device>', 'id of the device from waxwing devices list', parseDevice),
  )
    .addHelpText(
      'after',
      `
Example:
  $ waxwing devices remove "$DEVICE"

Its waiting mail is deleted, and its sessions end. A device whose file holds the wallet's key can put itself
back: if a stranger has that file, only a new identity helps. Its API keys and group tokens stop working.`,
    )
    .action(removeDevice);
}

async function listDevices(options: ConnectionOptions): Promise<void> {
  await withIdentity(options, 'Listing devices', async ({ identity, client }) => {
    const { deviceList, sealKeys } = await client.keys(identity.address);
    const devices = deviceList.devices.map((device) => ({
      ...device,
      thisDevice: device.deviceId === identity.deviceId,
      receives: sealKeys.some(({ deviceId }) => deviceId === device.deviceId),
    }));
    if (options.json) return printJson({ sequence: deviceList.sequence, devices });
    const rows = devices.map(({ deviceId, type, validUntil, thisDevice, receives }) => [
      deviceId,
      type,
      validUntil.slice(0, 10),
      receives ? 'receives' : 'receives nothing',
      thisDevice ? 'this device' : '',
    ]);
    await print(columns([['device', 'type', 'until', '', ''], ...rows]));
  });
}

async function removeDevice(device: string, options: ConnectionOptions): Promise<void> {
  await withIdentity(options, 'Removing a device', async ({ identity, session, client }) => {
    if (device === identity.deviceId) {
      throw commandError('failed', 'own_device');
    }
    const { deviceList } = await client.keys(identity.address);
    if (!deviceList.devices.some(({ deviceId }) => deviceId === device)) {
      throw commandError('not_found', 'device', { device });
    }
    await identity.registration(session).remove(device);
    await (options.json ? printJson({ device, removed: true }) : print(`Removed ${device}.`));
  });
}

function parseDevice(text: string): string {
  if (/^[A-Za-z0-9_-]{22}$/.test(text)) return text;
  throw argumentError('device');
}
