import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useText } from '../../i18n/i18n.ts';
import { ADMIN_KEY, adminCall, readOf } from '../../stores/admin/admin-service.ts';
import { queryClient } from '../../stores/app/query-client.ts';
import { Field } from '../../ui/Field.tsx';
import { Reread, Unread } from '../parts/Reading.tsx';
import { Currencies } from './Currencies.tsx';
import { Fees } from './Fees.tsx';
import { Limits } from './Limits.tsx';
import { Networks } from './Networks.tsx';
import { Rewards } from './Rewards.tsx';
import { SettingHistory } from './SettingHistory.tsx';

/** What is offered: limits by tier, what the hub gives, fees of the exchanges, currencies and their networks. */
export function OfferPage() {
  const t = useText();
  const [wanted, setWanted] = useState('');
  const query = useQuery(
    { queryKey: [ADMIN_KEY, 'offer'], queryFn: () => readOf(adminCall('x/admin/Offer', {})) },
    queryClient,
  );
  if (query.data === undefined) return <Unread query={query} />;
  const isWanted = ({ asset }: { readonly asset: string }) => asset.includes(wanted.trim().toUpperCase());
  const { fees, rewards, currencies, networks, knownNetworks, settings } = query.data;
  return (
    <>
      <p className="text-[13px] text-soft">{t('admin.offer.lead')}</p>
      <Reread query={query} />
      <Limits offer={query.data} />
      <Rewards rows={rewards} />
      <Fees rows={fees} />
      <Field
        label={t('admin.offer.find')}
        value={wanted}
        maxLength={20}
        onChange={(event) => setWanted(event.target.value)}
      />
      <Currencies rows={currencies.filter(isWanted)} />
      <Networks rows={networks.filter(isWanted)} known={knownNetworks} />
      <SettingHistory rows={settings} />
    </>
  );
}
