import { Download } from 'lucide-react';
import { writeCsv } from '../../calculators/tables/csv.ts';
import { useText } from '../../i18n/i18n.ts';
import { now } from '../../stores/app/clock.ts';
import { notify } from '../../stores/app/notices.ts';
import { favouritesStore } from '../../stores/market-lists/favourites.ts';
import { MARKET_CSV, marketListRow } from '../../stores/market-lists/market-list-row.ts';
import type { MarketRow } from '../../stores/market-lists/market-rows.ts';
import { Button } from '../../ui/Button.tsx';
import { downloadCsv } from '../../ui/tables/download.ts';

/** Saves the rows of the list as they stand now, also those that are not on screen. */
export function ExportMarkets({ rows }: { readonly rows: readonly MarketRow[] }) {
  const t = useText();
  const save = () => {
    const { keys } = favouritesStore.getState();
    const day = new Date(now()).toISOString().slice(0, 10);
    const list = rows.map((row) => marketListRow(row, keys));
    downloadCsv(`markets-${day}.csv`, writeCsv(MARKET_CSV, list));
    notify('success', { id: 'history.exported', values: { count: rows.length } });
  };
  return (
    <Button
      size="small"
      tone="quiet"
      disabled={rows.length === 0}
      onClick={save}
      className="ml-auto max-lg:h-11"
    >
      <Download size={13} aria-hidden="true" />
      {t('history.export')}
    </Button>
  );
}
