import { useText } from '../../i18n/i18n.ts';
import { TransferForm } from './TransferForm.tsx';
import { TransferHistory } from './TransferHistory.tsx';

/** /wallet/TransferSub */
export function TransferScreen() {
  const t = useText();
  return (
    <div className="flex flex-col gap-4">
      <h1 className="text-xl font-medium">{t('transfer.heading')}</h1>
      <TransferForm />
      <TransferHistory />
    </div>
  );
}
