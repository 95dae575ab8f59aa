import { type TransferRow, transferReasonText } from '@crossbook/contract';
import { platformOfType } from '@crossbook/domain';
import { useStore } from 'zustand';
import { formatDateTime, groupDigits } from '../../i18n/format.ts';
import { type Text, useLocale, useText } from '../../i18n/i18n.ts';
import { type Language, settingsStore } from '../../stores/app/settings.ts';
import { readTransfers } from '../../stores/trading/records.ts';
import { useRecords } from '../../stores/trading/use-records.ts';
import { hasPockets } from '../../stores/wallet/margin-funds.ts';
import { transfersStore } from '../../stores/wallet/transfers.ts';
import { Button } from '../../ui/Button.tsx';
import { Badge } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/tables/Table.tsx';

const TONES = { pending: 'warning', done: 'up', refused: 'down', unknown: 'warning' } as const;

const WAYS = {
  1: 'transfer.toTrading',
  2: 'transfer.toFunding',
  3: 'transfer.toFutures',
  4: 'transfer.toSpot',
} as const;

/** Where it went; with its pocket where the exchange has two. */
function directionText(t: Text, row: TransferRow): string {
  const way = t(WAYS[row.direction]);
  const named = hasPockets(row.platformType) && row.direction <= 2;
  return named ? `${way} (${t(`wallet.pocket.${row.tinstType === 2 ? 'futures' : 'spot'}`)})` : way;
}

function Reason({ text }: { readonly text: string }) {
  return (
    <span className="max-w-64 truncate text-xs text-faint" title={text}>
      {text}
    </span>
  );
}

function columns(t: Text, locale: string, language: Language): readonly Column<TransferRow>[] {
  return [
    { id: 'time', head: t('common.time'), cell: (row) => formatDateTime(row.createdAt, locale) },
    {
      id: 'direction',
      head: t('transfer.direction'),
      cell: (row) => directionText(t, row),
    },
    {
      id: 'venue',
      head: t('transfer.venue'),
      wideOnly: true,
      cell: (row) => platformOfType(row.platformType)?.name,
    },
    {
      id: 'amount',
      head: t('common.amount'),
      numeric: true,
      cell: (row) => `${groupDigits(row.amount)} ${row.asset}`,
    },
    {
      id: 'state',
      head: t('common.status'),
      cell: (row) => (
        <span className="flex items-center gap-2">
          <Badge tone={TONES[row.state]}>{t(`transfer.state.${row.state}`)}</Badge>
          {row.state === 'pending' && row.expectedAt !== null && (
            <span className="text-xs text-faint">
              {t('transfer.expected', { time: formatDateTime(row.expectedAt, locale) })}
            </span>
          )}
          {row.reason !== null && <Reason text={transferReasonText(row.reason, language)} />}
        </span>
      ),
    },
  ];
}

/** Movements between the wallets, newest first. */
export function TransferHistory() {
  const t = useText();
  const locale = useLocale();
  const language = useStore(settingsStore, (settings) => settings.language);
  const version = useStore(transfersStore, (state) => state.version);
  const records = useRecords(['transfers'], readTransfers, version);
  return (
    <section className="rounded-md border border-line bg-panel">
      <h2 className="border-b border-line px-3 py-3 text-sm font-medium">{t('transfer.history')}</h2>
      <Table
        label={t('transfer.history')}
        columns={columns(t, locale, language)}
        rows={records.rows}
        rowKey={(row) => row.transferId}
        status={records.status}
        empty={{ title: t('common.empty') }}
        failure={{ title: t('common.failed'), retry: t('common.retry'), onRetry: records.retry }}
      />
      {records.hasMore && (
        <div className="border-t border-line p-2 text-center">
          <Button size="small" busy={records.loadingMore} onClick={records.loadMore}>
            {t('history.more')}
          </Button>
        </div>
      )}
    </section>
  );
}
