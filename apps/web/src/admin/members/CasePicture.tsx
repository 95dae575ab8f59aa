import { useEffect, useState } from 'react';
import { useText } from '../../i18n/i18n.ts';
import { readPicture } from '../../stores/admin/admin-service.ts';
import { Button } from '../../ui/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { useLook } from '../parts/Reading.tsx';

const TURNS = ['', 'rotate-90', 'rotate-180', '-rotate-90'] as const;

/** The address of a picture in this page, for as long as it is shown. */
function useAddress(picture: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (picture === undefined) return undefined;
    const made = URL.createObjectURL(picture);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [picture]);
  return address;
}

/** A picture of a case: read once and kept nowhere; who looks at it and when is in its pixels. */
export function CasePicture(props: { readonly caseId: string; readonly id: string; readonly name: string }) {
  const t = useText();
  const { caseId, id, name } = props;
  const [turn, setTurn] = useState(0);
  const [large, setLarge] = useState(false);
  const { data, isError, error, refetch } = useLook(['picture', id], () =>
    readPicture({ case: caseId, picture: id }),
  );
  const address = useAddress(data);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2 text-xs text-soft">
        <span className="mr-auto">{name}</span>
        <Button
          size="small"
          aria-label={`${t('admin.kyc.turn')}: ${name}`}
          onClick={() => setTurn((turn + 1) % TURNS.length)}
        >
          {t('admin.kyc.turn')}
        </Button>
        <Button
          size="small"
          aria-label={`${t('admin.kyc.enlarge')}: ${name}`}
          aria-pressed={large}
          onClick={() => setLarge(!large)}
        >
          {t('admin.kyc.enlarge')}
        </Button>
      </div>
      <div className="rounded-md border border-line bg-page">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <section tabIndex={0} aria-label={name} className="aspect-square overflow-auto">
          {address !== undefined ? (
            <img
              src={address}
              alt={name}
              className={classNames(
                'aspect-square max-w-none object-contain',
                large ? 'w-[250%]' : 'w-full',
                TURNS[turn],
              )}
            />
          ) : isError ? (
            <ErrorState title={error.message} retry={t('common.retry')} onRetry={() => void refetch()} />
          ) : (
            <Skeleton className="size-full" />
          )}
        </section>
      </div>
    </div>
  );
}
