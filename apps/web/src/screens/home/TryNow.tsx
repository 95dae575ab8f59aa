import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useText } from '../../i18n/i18n.ts';
import { bootConfig } from '../../stores/app/boot.ts';
import { defaultMarket, tradeLink } from '../../stores/market/market.ts';
import { roleBeside } from '../../stores/member/own-service.ts';
import { Button } from '../../ui/Button.tsx';
import { Badge } from '../../ui/states.tsx';

/** One click to a demo member on the trade page. Offered where the outbox is: the same simulated places have both. */
export function TryNow() {
  const t = useText();
  const navigate = useNavigate();
  const [percent, setPercent] = useState<number>();
  const [problem, setProblem] = useState('');
  const { money, outbox, platforms } = bootConfig();
  const first = platforms.find((row) => row.state === 'live' && row.symbolTypes.includes('SPOT'));
  if (money !== 'paper' || !outbox || first === undefined) return null;
  const begin = async () => {
    setProblem('');
    setPercent(0);
    // What only this click needs is fetched with it.
    const started = import('../../stores/member/demo.ts').then(({ startDemo }) =>
      startDemo((share) => setPercent(Math.floor(share * 100))),
    );
    const wrong = await started.catch(() => t('common.noAnswer'));
    if (wrong === undefined) {
      await navigate({ ...tradeLink(defaultMarket(first.platform, 'SPOT')), search: { fill: 1 } });
    } else setProblem(wrong);
    setPercent(undefined);
  };
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button size="large" disabled={percent !== undefined} onClick={() => void begin()}>
          {t('demo.try')}
        </Button>
        <Badge tone="warning">{t('paper.badge')}</Badge>
      </div>
      <p
        role={roleBeside('status', problem)}
        data-fault={problem !== '' || undefined}
        className={`text-xs ${problem === '' ? 'text-faint' : 'text-danger'}`}
      >
        {problem === ''
          ? t(percent === undefined ? 'demo.tryHint' : 'demo.making', { percent: percent ?? 0 })
          : problem}
      </p>
    </div>
  );
}
