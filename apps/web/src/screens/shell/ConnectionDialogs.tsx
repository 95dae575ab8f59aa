import type { Platform } from '@crossbook/domain';
import { useStore } from 'zustand';
import { useText } from '../../i18n/i18n.ts';
import { dismissLiveDialog, type LiveStatus, liveStore, reconnectLive } from '../../stores/market/live.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';

/** The network-anomaly dialog and the prompt after a long absence (spec sections 4 and 8). */
export function ConnectionDialogs() {
  const t = useText();
  const live = useStore(liveStore);
  const troubled = (Object.entries(live) as unknown as [string, LiveStatus][]).filter(
    ([, status]) => status.dialog !== 'none',
  );
  if (troubled.length === 0) return null;
  // Lines to several exchanges may have gone together: one answer is for all of them.
  const each = (act: (platform: Platform) => void) => () => {
    for (const [platform] of troubled) act(Number(platform) as Platform);
  };
  const away = troubled.every(([, { dialog }]) => dialog === 'away');
  return (
    <Dialog
      open
      kind="alert"
      onClose={each(dismissLiveDialog)}
      closeLabel={t('common.close')}
      title={t(away ? 'connection.away' : 'connection.anomaly')}
      description={t(away ? 'connection.awayText' : 'connection.anomalyText')}
      actions={
        <>
          <Button onClick={() => window.location.reload()} tone={away ? 'primary' : 'plain'}>
            {t('common.refresh')}
          </Button>
          {!away && (
            <Button tone="primary" onClick={each(reconnectLive)}>
              {t('connection.reconnect')}
            </Button>
          )}
        </>
      }
    />
  );
}
