import type { AdminResponse } from '@crossbook/contract';
import { useRef, useState } from 'react';
import { formatDateTime } from '../i18n/format.ts';
import { useLocale, useText } from '../i18n/i18n.ts';
import { adminCall, say } from '../stores/admin/admin-service.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import { Banner } from '../ui/states.tsx';
import { ActDialog } from './parts/ActDialog.tsx';
import { byText } from './parts/by-text.ts';
import { Fact } from './parts/Fact.tsx';
import { readAgain } from './parts/PagedTable.tsx';

/** One row of the page. */
export type Incident = AdminResponse<'x/admin/Incidents'>['rows'][number];

/** What the hub found, name by name; what is no list of facts is shown as it is. */
function factsOf(json: string): readonly (readonly [string, string])[] {
  const parsed: unknown = JSON.parse(json);
  if (typeof parsed !== 'object' || parsed === null) return [['', json]];
  return Object.entries(parsed).map(([name, value]) => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ]);
}

function Evidence({ json }: { readonly json: string }) {
  return (
    <dl>
      {factsOf(json).map(([name, value]) => (
        <Fact key={name} name={name}>
          <code className="break-all whitespace-normal">{value}</code>
        </Fact>
      ))}
    </dl>
  );
}

/** An incident: what the hub saw, what was asked about it and answered, and the way to end an order on one's word. */
export function IncidentDialog(props: {
  readonly incident: Incident;
  readonly mayResolve: boolean;
  readonly onClose: () => void;
}) {
  const t = useText();
  const locale = useLocale();
  const [resolving, setResolving] = useState(false);
  const { incident, mayResolve, onClose } = props;
  const { request } = incident;
  const isOpenOrder = incident.subject === 'order' && incident.closedAt === null;
  return (
    <>
      <Dialog
        open
        wide
        onClose={onClose}
        title={incident.what}
        description={`${formatDateTime(incident.openedAt, locale)} · ${incident.subject} ${incident.subjectId}`}
        closeLabel={t('common.close')}
      >
        <section className="flex flex-col gap-1">
          <h3 className="text-xs text-faint">{t('admin.evidence')}</h3>
          <Evidence json={incident.evidence} />
        </section>
        {request !== null && (
          <section className="flex flex-col gap-2">
            <h3 className="text-xs text-faint">{t('admin.resolve.last')}</h3>
            <p className="text-[13px]">
              {formatDateTime(request.at, locale)} · {byText(t, request.by)} ·{' '}
              {t(`admin.resolve.${request.resolution}`)}
            </p>
            <div role="status">
              {request.outcome === null ? (
                <Banner>{t('admin.resolve.waits')}</Banner>
              ) : (
                <Banner tone={request.outcome === 'done' ? 'plain' : 'danger'}>
                  {t(`admin.resolve.${request.outcome}`, { answer: request.answer })}
                </Banner>
              )}
            </div>
            {request.outcome !== null && <Evidence json={request.evidence} />}
          </section>
        )}
        {isOpenOrder && mayResolve && (
          <Button
            className="self-end"
            disabled={request !== null && request.outcome === null}
            onClick={() => setResolving(true)}
          >
            {t('admin.resolve')}
          </Button>
        )}
      </Dialog>
      {resolving && <Resolve order={incident.subjectId} onClose={() => setResolving(false)} />}
    </>
  );
}

function Resolve({ order, onClose }: { readonly order: string; readonly onClose: () => void }) {
  const t = useText();
  const [resolution, setResolution] = useState<'absent' | 'filled'>('absent');
  const [quantity, setQuantity] = useState('');
  const [quoteQuantity, setQuoteQuantity] = useState('');
  const needsAnother = useRef(false);
  const isFilled = resolution === 'filled';
  return (
    <ActDialog
      danger
      title={t('admin.resolve')}
      lead={t('admin.resolve.lead')}
      button={t('admin.resolve')}
      ready={!isFilled || (quantity.trim() !== '' && quoteQuantity.trim() !== '')}
      onAct={async (reason) => {
        const executed = { quantity: quantity.trim(), quoteQuantity: quoteQuantity.trim() };
        const answer = await adminCall('x/admin/OrderResolve', {
          ...{ order, resolution, reason },
          ...(isFilled ? executed : {}),
        });
        needsAnother.current = answer.ok && answer.data.approval !== null;
        return answer;
      }}
      onDone={() => {
        say(needsAnother.current ? 'admin.asked' : 'admin.resolve.sent');
        readAgain();
      }}
      onClose={onClose}
    >
      <Select
        label={t('admin.resolve.how')}
        value={resolution}
        onChange={setResolution}
        options={(['absent', 'filled'] as const).map((value) => ({
          value,
          label: t(`admin.resolve.${value}`),
        }))}
      />
      {isFilled && (
        <>
          <Field
            label={t('admin.resolve.quantity')}
            inputMode="decimal"
            maxLength={60}
            value={quantity}
            onChange={(event) => setQuantity(event.target.value)}
          />
          <Field
            label={t('admin.resolve.quote')}
            inputMode="decimal"
            maxLength={60}
            value={quoteQuantity}
            onChange={(event) => setQuoteQuantity(event.target.value)}
          />
        </>
      )}
    </ActDialog>
  );
}
