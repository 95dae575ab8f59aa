import { useQuery } from '@tanstack/react-query';
import { useLocale } from '../../i18n/i18n.ts';
import { queryClient } from '../../stores/app/query-client.ts';
import { call } from '../../stores/member/own-service.ts';

const DAY_MILLIS = 86_400_000;
const COUNTRY_OF_LANGUAGE: Readonly<Record<string, string>> = { ja: 'JP', ko: 'KR' };

/** The country that this browser is most likely used in. */
export function likelyCountry(locale: string): string {
  return COUNTRY_OF_LANGUAGE[locale] ?? /-([A-Z]{2})$/.exec(navigator.language)?.[1] ?? 'US';
}

/** Countries with their names in the page's language; none while they are read. */
export function useCountries() {
  const locale = useLocale();
  return useQuery(
    {
      queryKey: ['countries', locale],
      staleTime: DAY_MILLIS,
      queryFn: async () => {
        const answer = await call('common/country', {}, { quiet: true });
        if (!answer.ok) throw new Error('the countries were not answered');
        return answer.data;
      },
    },
    queryClient,
  );
}
