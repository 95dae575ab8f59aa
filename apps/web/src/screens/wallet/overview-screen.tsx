import { platformFacts } from '@crossbook/domain';
import { Link } from '@tanstack/react-router';
import { useStore } from 'zustand';
import { decimalsShown } from '../../calculators/wallet-value.ts';
import { useText } from '../../i18n/i18n.ts';
import { bootConfig, bootPlatform, closedLabel } from '../../stores/app/boot.ts';
import { useHeldPlatforms } from '../../stores/trading/held-platforms.ts';
import { tradablePlatforms } from '../../stores/trading/use-keep-live.ts';
import { balancesStore } from '../../stores/wallet/balances.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Badge } from '../../ui/states.tsx';
import { ContractResult } from './ContractResult.tsx';
import { TestFunds } from './TestFunds.tsx';
import { WalletTable } from './WalletTable.tsx';

/** /wallet/WalletOverviewSub */
export function OverviewScreen() {
  const t = useText();
  const { money, platforms: booted } = bootConfig();
  const tradesContracts = booted.some((row) => row.symbolTypes.includes('SWAP'));
  const { wallets } = useStore(balancesStore);
  const held = useHeldPlatforms();
  const platforms = [...tradablePlatforms(), ...held].toSorted((left, right) => left - right);
  const read = Object.values(wallets);
  const poor =
    read.length > 0 &&
    read.every((wallet) => wallet.status === 'ready' && wallet.rows.every((row) => Number(row.total) === 0));
  const decimals = decimalsShown(read.flatMap((wallet) => wallet.rows));
  return (
    <div className="flex flex-col gap-4">
      <h1 className="text-xl font-medium">{t('title.wallet')}</h1>
      {money === 'paper' && <TestFunds emphasised={poor} />}
      {tradesContracts && <ContractResult />}
      <WalletTable
        wallet="funding"
        decimals={decimals}
        heading={t('wallet.funding')}
        emptyAdvice={money === 'paper' ? t('wallet.emptyFunding') : ''}
        action={
          <Link to="/wallet/TransferSub" className={buttonClass('plain', 'small')}>
            {t('nav.wallet.transfer')}
          </Link>
        }
      />
      {platforms.map((platform) => {
        const { name, platformType } = platformFacts(platform);
        return (
          <WalletTable
            key={platform}
            wallet={platformType}
            decimals={decimals}
            heading={t('wallet.trading', { venue: name })}
            emptyAdvice={held.includes(platform) ? '' : t('wallet.emptyTrading')}
            badge={held.includes(platform) && <Badge>{t(closedLabel(bootPlatform(platform)))}</Badge>}
          />
        );
      })}
    </div>
  );
}
