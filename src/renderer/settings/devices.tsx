import { useQueryClient } from '@tanstack/react-query';
import { Laptop, TerminalSquare } from 'lucide-react';
import { useState } from 'react';
import type { OwnDevice } from '../../bridge/shapes.ts';
import { queryKey, useAsk, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Confirmation } from '../design/dialog.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { plainDate } from '../shared/time.ts';
import { deviceName } from './device-name.ts';
import { LinkDevice } from './link-device.tsx';

/** The person's own devices, and how another one comes to it. */
export function Devices() {
  const { data: devices, error, refetch } = useAsk('devices.list', {});
  return (
    <>
      {error && (
        <p className="text-ink-soft">
          {error.message}{' '}
          <Button onClick={() => void refetch()} size="small">
            Try again
          </Button>
        </p>
      )}
      {!devices && !error && <Skeleton className="h-14" />}
      {devices && (
        <ul aria-label="Your devices">
          {devices.map((device) => (
            <DeviceRow device={device} key={device.id} />
          ))}
        </ul>
      )}
      <LinkDevice />
      <p className="text-ink-soft leading-relaxed">
        What you write on one device stands on all of them. Without this computer at hand, another one comes
        to your identity with the recovery phrase: “Use one that I have”, when Waxwing starts there for the
        first time.
      </p>
    </>
  );
}

function DeviceRow({ device }: { device: OwnDevice }) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const revoke = useCommand('devices.revoke', {
    onSuccess: (devices) => client.setQueryData(queryKey('devices.list', {}), devices),
  });
  const Icon = device.type === 'app' ? Laptop : TerminalSquare;
  return (
    <li className="flex items-center gap-3 py-1.5">
      <Icon aria-hidden="true" className="size-5 shrink-0 text-ink-soft" strokeWidth={1.9} />
      <span className="min-w-0 flex-1 leading-tight">
        <span className="block font-semibold">{deviceName(device)}</span>
        <span className="block text-ink-soft text-xs [overflow-wrap:anywhere]">
          <code className="font-mono">{device.id.slice(0, 8)}</code>, {keyNote(device)}, certified until{' '}
          {plainDate(device.validUntil)}
        </span>
      </span>
      {!device.isThis && (
        <Button busy={revoke.isPending} onClick={() => setAsking(true)} size="small" tone="danger">
          Remove
        </Button>
      )}
      <Confirmation
        action="Remove device"
        explanation="Your wallet signs a list without it. It gets nothing new and can send nothing any more; what it has already, it keeps."
        onClose={() => setAsking(false)}
        onConfirm={() => revoke.mutate({ id: device.id })}
        open={asking}
        title="Remove this device?"
      />
    </li>
  );
}

function keyNote({ sealKeySince }: OwnDevice): string {
  return sealKeySince === null ? 'no key that can be used now' : `key of ${plainDate(sealKeySince)}`;
}
