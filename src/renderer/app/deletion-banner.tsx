import { UserX } from 'lucide-react';
import type { Me } from '../../bridge/shapes/account.ts';
import { useBridgeQuery, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { serverOf } from '../settings/account/server-of.ts';
import { Banner } from '../shared/banner.tsx';
import { useNavigation } from '../shared/navigation.tsx';
import { fullTime } from '../shared/time.ts';
import { WhileAccepted } from '../shared/while-accepted.tsx';
import { t } from '../words.tsx';

/** Shown while the account's deletion is planned, since another computer may have requested it, and afterwards. */
export function DeletionBanner({ me }: { me: Me }) {
  const { data: state } = useBridgeQuery('app.state', {});
  const { openSetting } = useNavigation();
  const keep = useCommand('account.keep');
  const deletion = state?.deletion;
  if (!deletion) return null;
  const server = serverOf(me);
  return (
    <Banner
      icon={UserX}
      label={t('app.accountEnd')}
      text={
        deletion.kind === 'done'
          ? t('app.accountGone', { server })
          : t('app.accountEnds', { server, time: fullTime(deletion.at) })
      }
      tone="danger"
    >
      {deletion.kind === 'done' ? (
        <Button onClick={() => openSetting('accountEnd')} size="small">
          {t('settings.settings')}
        </Button>
      ) : (
        <WhileAccepted>
          <Button busy={keep.isPending} onClick={() => keep.mutate({})} size="small">
            {t('settings.accountKeep')}
          </Button>
        </WhileAccepted>
      )}
    </Banner>
  );
}
