import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { hasMoreCharacters, MAX_NAME } from '../../base/names.ts';
import { longest } from '../../bridge/longest.ts';
import type { OwnDevice } from '../../bridge/shapes/device.ts';
import { queryKey, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/text-field.tsx';
import { t } from '../words.tsx';

interface DeviceNameFormProps {
  device: OwnDevice;
  onClose: () => void;
}

/** Names a device for the person and their other devices. An empty name removes it. */
export function DeviceNameForm({ device, onClose }: DeviceNameFormProps) {
  const client = useQueryClient();
  const [name, setName] = useState(device.name ?? '');
  const save = useCommand('devices.rename', {
    onSuccess: (devices) => {
      client.setQueryData(queryKey('devices.list', {}), devices);
      onClose();
    },
  });
  return (
    <form
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ id: device.id, name: name.trim() || null });
      }}
    >
      <TextField
        autoFocus
        label={t('settings.deviceName')}
        maxLength={longest.name}
        most={MAX_NAME}
        note={t('settings.deviceNameText')}
        onChange={(event) => setName(event.target.value)}
        value={name}
        beside={
          <span className="flex gap-2">
            <Button
              busy={save.isPending}
              disabled={hasMoreCharacters(name, MAX_NAME)}
              tone="primary"
              type="submit"
            >
              {t('settings.deviceNameSave')}
            </Button>
            <Button onClick={onClose}>{t('common.cancel')}</Button>
          </span>
        }
      />
    </form>
  );
}
