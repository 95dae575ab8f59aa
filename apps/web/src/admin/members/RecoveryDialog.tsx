import { type AdminRecoveryRow, mayCall } from '@crossbook/contract';
import { useState } from 'react';
import { useStore } from 'zustand';
import { formatDateTime } from '../../i18n/format.ts';
import { useLocale, useText } from '../../i18n/i18n.ts';
import { adminCall, adminSession, readOf, say } from '../../stores/admin/admin-service.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Banner } from '../../ui/states.tsx';
import { ActDialog } from '../parts/ActDialog.tsx';
import { Fact } from '../parts/Fact.tsx';
import { readAgain } from '../parts/PagedTable.tsx';
import { Unread, useLook } from '../parts/Reading.tsx';

/** A request to be let in again: what is known of it, and what this admin may do about it. */
export function RecoveryDialog(props: { readonly row: AdminRecoveryRow; readonly onClose: () => void }) {
  const t = useText();
  const locale = useLocale();
  const { row, onClose } = props;
  const [act, setAct] = useState<'approve' | 'refuse'>();
  const [compares, setCompares] = useState(false);
  const self = useStore(adminSession, (session) => session.self);
  const may = (name: 'RecoveryView' | 'RecoveryApprove' | 'RecoveryRefuse') =>
    self !== undefined && !self.demo && mayCall(`x/admin/${name}`, self.roles);
  return (
    <>
      <Dialog
        open
        wide
        onClose={onClose}
        title={t('admin.recovery.title', { id: row.member })}
        closeLabel={t('common.close')}
      >
        <dl className="grid grid-cols-2 gap-x-6 max-md:grid-cols-1">
          <Fact name={t('admin.member.nickname')}>{row.nickname}</Fact>
          <Fact name={t('admin.recovery.contact')}>{row.contact}</Fact>
          <Fact name={t('admin.kyc.since')}>{formatDateTime(row.askedAt, locale)}</Fact>
          <Fact name={t('admin.recovery.due')}>
            {row.dueAt === null ? '-' : formatDateTime(row.dueAt, locale)}
          </Fact>
        </dl>
        <p className="text-[13px] text-soft">{t('admin.recovery.rule')}</p>
        {self?.demo === true && <Banner>{t('admin.recovery.demo')}</Banner>}
        {compares && <Compared id={row.id} />}
        <div className="flex flex-wrap justify-end gap-2">
          {may('RecoveryView') && !compares && (
            <Button onClick={() => setCompares(true)}>{t('admin.recovery.compare')}</Button>
          )}
          {may('RecoveryRefuse') && (
            <Button tone="danger" onClick={() => setAct('refuse')}>
              {t('admin.refuse')}
            </Button>
          )}
          {may('RecoveryApprove') && row.state === 'asked' && (
            <Button tone="primary" onClick={() => setAct('approve')}>
              {t('admin.recovery.ask')}
            </Button>
          )}
        </div>
      </Dialog>
      {act !== undefined && <Act act={act} row={row} onClose={() => setAct(undefined)} onDone={onClose} />}
    </>
  );
}

/** What is stated beside what the passed identity check holds. Opening it is a look that is logged. */
function Compared({ id }: { readonly id: string }) {
  const t = useText();
  const query = useLook(['recovery', id], () => readOf(adminCall('x/admin/RecoveryView', { recovery: id })));
  if (query.data === undefined) return <Unread query={query} height="h-32" />;
  const { stated, kept, own } = query.data;
  return (
    <>
      {own && <Banner>{t('admin.kyc.own')}</Banner>}
      <table className="w-full text-left text-[13px]">
        <thead className="text-soft">
          <tr>
            <th scope="col" className="py-1 font-normal">
              <span className="sr-only">{t('admin.what')}</span>
            </th>
            <th scope="col" className="py-1 font-normal">
              {t('admin.recovery.stated')}
            </th>
            <th scope="col" className="py-1 font-normal">
              {t('admin.recovery.kept')}
            </th>
          </tr>
        </thead>
        <tbody>
          {(['fullName', 'birthDate', 'documentNumber'] as const).map((field) => (
            <tr key={field} className="border-t border-line align-top">
              <th scope="row" className="py-1 pr-4 font-normal text-soft">
                {t(field === 'documentNumber' ? 'admin.kyc.number' : `admin.kyc.${field}`)}
              </th>
              <td className="py-1 pr-4 break-all">{stated[field]}</td>
              <td className="py-1 break-all">{kept[field]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Act(props: {
  readonly act: 'approve' | 'refuse';
  readonly row: AdminRecoveryRow;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const t = useText();
  const { act, row, onDone } = props;
  const isApproval = act === 'approve';
  const name = t(isApproval ? 'admin.recovery.ask' : 'admin.refuse');
  return (
    <ActDialog
      title={name}
      lead={t(`admin.recovery.lead.${act}`, { id: row.member })}
      button={name}
      danger={!isApproval}
      onAct={(reason) =>
        isApproval
          ? adminCall('x/admin/RecoveryApprove', { recovery: row.id, reason })
          : adminCall('x/admin/RecoveryRefuse', { recovery: row.id, reason })
      }
      onDone={() => {
        say(isApproval ? 'admin.asked' : 'admin.done');
        readAgain();
        onDone();
      }}
      onClose={props.onClose}
    />
  );
}
