import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { useText } from '../../i18n/i18n.ts';
import { queryClient } from '../../stores/app/query-client.ts';
import { codeOfMail, readOutbox } from '../../stores/member/outbox.ts';
import { Button } from '../../ui/Button.tsx';
import { Banner } from '../../ui/states.tsx';

const LOOK_EVERY_MILLIS = 1_500;

/** Paper mode only: where the code is, and the newest one at hand once it was sent. */
export function OutboxBanner(props: {
  readonly sentTo: string | undefined;
  readonly onUse: (code: string) => void;
}) {
  const t = useText();
  const { sentTo } = props;
  const { data } = useQuery(
    {
      queryKey: ['outbox', sentTo],
      enabled: sentTo !== undefined,
      refetchInterval: LOOK_EVERY_MILLIS,
      queryFn: async () => (await readOutbox(sentTo)) ?? [],
    },
    queryClient,
  );
  const code = data?.map(codeOfMail).find((found) => found !== undefined);
  return (
    <Banner>
      <p>{t('sign.outboxBanner')}</p>
      <div className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1">
        <a
          href="/dev/outbox"
          target="_blank"
          rel="noopener"
          className="inline-flex items-center gap-1 text-link underline"
        >
          {t('sign.openOutbox')}
          <ExternalLink size={12} aria-hidden="true" />
        </a>
        {code !== undefined && (
          <span className="flex items-center gap-2">
            {t('sign.newestCode', { code })}
            <Button size="small" onClick={() => props.onUse(code)}>
              {t('sign.useCode')}
            </Button>
          </span>
        )}
      </div>
    </Banner>
  );
}
