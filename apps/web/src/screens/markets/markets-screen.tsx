import { platformFacts } from '@crossbook/domain';
import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useText } from '../../i18n/i18n.ts';
import { marketKey, tradeLink } from '../../stores/market/market.ts';
import { changeMarketView, marketViewStore, sortedBy } from '../../stores/market-lists/market-list.ts';
import type { MarketRow } from '../../stores/market-lists/market-rows.ts';
import type { OldList } from '../../stores/market-lists/ticker-age.ts';
import { useMarketList } from '../../stores/market-lists/use-market-list.ts';
import { isMember, sessionStore } from '../../stores/member/session.ts';
import { StaleBadge } from '../../ui/states.tsx';
import { TabPanel, Tabs } from '../../ui/Tabs.tsx';
import { WindowTable } from '../../ui/tables/WindowTable.tsx';
import { ExportMarkets } from './ExportMarkets.tsx';
import { MarketSearch, TypeFilter, useScopeTabs } from './MarketFilters.tsx';
import { marketColumns } from './market-columns.tsx';
import { useShownMarkets } from './use-shown-markets.ts';
import { VisitorDialog } from './VisitorDialog.tsx';

function OldLists({ lists }: { readonly lists: readonly OldList[] }) {
  const t = useText();
  if (lists.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-2 border-b border-line px-3 py-2">
      {lists.map(({ platform, symbolType, ageSeconds }) => {
        const name = `${platformFacts(platform).name} ${t(symbolType === 'SPOT' ? 'nav.spot' : 'nav.futures')}`;
        const age =
          ageSeconds === undefined
            ? t('market.unread', { name })
            : t('market.old', { name, seconds: ageSeconds });
        return (
          <li key={name}>
            <StaleBadge text={age} />
          </li>
        );
      })}
    </ul>
  );
}

/** What an empty list says and what to do about it. */
function useEmptyText(typed: string): { readonly title: string; readonly advice: string } {
  const t = useText();
  const scope = useStore(marketViewStore, (view) => view.scope);
  const member = useStore(sessionStore, isMember);
  const advice =
    typed.trim() !== '' || scope !== 'favourites'
      ? t('market.emptyAdvice')
      : t(member ? 'favourite.emptyMember' : 'favourite.emptyVisitor');
  return { title: t('common.empty'), advice };
}

/** /market */
export function MarketsScreen() {
  const t = useText();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [asking, setAsking] = useState(false);
  const view = useStore(marketViewStore);
  const { status, rows, old, isAwaited, retry } = useMarketList(useDeferredValue(typed));
  const onShown = useShownMarkets(rows);
  const columns = useMemo(
    () => marketColumns({ t, type: view.type, isAwaited, onVisitor: () => setAsking(true) }),
    [t, view.type, isAwaited],
  );
  const oldKeys = new Set(old.map(({ platform, symbolType }) => `${platform}:${symbolType}`));
  const isOld = ({ instrument }: MarketRow) => oldKeys.has(`${instrument.platform}:${instrument.symbolType}`);
  return (
    <section className="mx-auto w-full max-w-7xl flex-1 px-4 py-6 max-md:px-0">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3 max-md:px-4">
        <h1 className="text-xl font-medium">{t('market.heading')}</h1>
        <MarketSearch value={typed} onChange={setTyped} />
      </div>
      <Tabs
        label={t('market.scopes')}
        items={useScopeTabs()}
        value={view.scope}
        onChange={(scope) => changeMarketView({ scope })}
        className="rounded-md border border-line bg-panel max-md:rounded-none max-md:border-x-0"
      >
        <TabPanel value={view.scope}>
          <div className="flex items-center border-b border-line px-3 py-2">
            <TypeFilter value={view.type} onChange={(type) => changeMarketView({ type })} />
            <ExportMarkets rows={rows} />
          </div>
          <OldLists lists={old} />
          <WindowTable
            label={t('market.heading')}
            columns={columns}
            rows={rows}
            rowKey={({ instrument }) => marketKey(instrument)}
            status={status}
            empty={useEmptyText(typed)}
            failure={{ title: t('common.failed'), retry: t('common.retry'), onRetry: retry }}
            sort={{
              id: view.sort,
              descending: view.descending,
              onSort: (id) => changeMarketView(sortedBy(view, id)),
            }}
            onRow={({ instrument }) => void navigate(tradeLink(instrument))}
            rowClass={(row) => (isOld(row) ? 'stale-figures' : undefined)}
            onShown={onShown}
          />
        </TabPanel>
      </Tabs>
      {asking && <VisitorDialog onClose={() => setAsking(false)} />}
    </section>
  );
}
