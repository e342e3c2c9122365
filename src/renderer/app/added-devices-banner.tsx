import { ShieldAlert } from 'lucide-react';
import { useBridgeQuery, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { deviceName } from '../settings/device-name.ts';
import { Banner } from '../shared/banner.tsx';
import { useNavigation } from '../shared/navigation.tsx';
import { fullTime } from '../shared/time.ts';
import { useMayAct } from '../shared/use-shut-out.ts';
import { rich, t } from '../words.tsx';

/** Shown after devices were added to the account elsewhere, until the person has confirmed or removed them. */
export function AddedDevicesBanner() {
  const { data: added = [] } = useBridgeQuery('devices.added', {});
  const { openSetting } = useNavigation();
  const confirm = useCommand('devices.confirmAdded');
  const [newest] = added;
  const mayAct = useMayAct();
  if (!newest || !mayAct) return null;
  const time = fullTime(newest.at);
  return (
    <Banner
      icon={ShieldAlert}
      label={t('app.devicesAdded')}
      text={
        added.length === 1
          ? rich('app.deviceAddedText', { name: deviceName(newest), time })
          : t('app.devicesAddedText', { count: added.length, time })
      }
      tone="danger"
    >
      <div className="flex flex-wrap gap-2">
        <Button
          busy={confirm.isPending}
          onClick={() => confirm.mutate({ ids: added.map(({ id }) => id) })}
          size="small"
          tone="quiet"
        >
          {t('app.devicesAddedConfirm')}
        </Button>
        <Button onClick={() => openSetting('devices')} size="small">
          {t('app.devicesAddedReview')}
        </Button>
      </div>
    </Banner>
  );
}
