import { type AdminCallName, type AdminResponse, mayCall } from '@crossbook/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useStore } from 'zustand';
import { deviceOf } from '../../calculators/user-agent.ts';
import { formatDateTime } from '../../i18n/format.ts';
import { useLocale, useText } from '../../i18n/i18n.ts';
import { ADMIN_KEY, adminCall, adminSession, readOf, say } from '../../stores/admin/admin-service.ts';
import { queryClient } from '../../stores/app/query-client.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { Badge } from '../../ui/states.tsx';
import { ActDialog } from '../parts/ActDialog.tsx';
import { Fact } from '../parts/Fact.tsx';
import { readAgain } from '../parts/PagedTable.tsx';
import { Unread } from '../parts/Reading.tsx';
import { equityText } from './equity-text.ts';
import { RevealDialog } from './RevealDialog.tsx';

type Shown = AdminResponse<'x/admin/MemberView'>;
type Act = 'reveal' | 'freeze' | 'unfreeze' | 'end' | 'tkropen' | 'kol' | 'revoke';

const CALL_OF: Readonly<Record<Act, AdminCallName>> = {
  reveal: 'x/admin/MemberReveal',
  freeze: 'x/admin/MemberFreeze',
  unfreeze: 'x/admin/MemberUnfreeze',
  end: 'x/admin/MemberEndSessions',
  tkropen: 'x/admin/MemberTkropen',
  kol: 'x/admin/MemberKol',
  revoke: 'x/admin/KycRevoke',
};

/** Why a check that was passed is taken back. */
const WHYS = ['suspected', 'duplicate', 'expired', 'mismatch', 'underage', 'country', 'blurred'] as const;

/** What the hub takes as a KOL code, and as its rate in percent. */
const KOL_CODE = /^(?![A-Z0-9]{8}$)[A-Z0-9]{4,20}$/;
const KOL_PERCENT_MAX = 50;

function isKolRate(percent: string): boolean {
  return /^\d{1,2}(\.\d{1,2})?$/.test(percent) && Number(percent) > 0 && Number(percent) <= KOL_PERCENT_MAX;
}

/** One member, and what this admin may do about him. */
export function MemberDialog({ member, onClose }: { readonly member: number; readonly onClose: () => void }) {
  const t = useText();
  const [act, setAct] = useState<Act>();
  const query = useQuery(
    {
      queryKey: [ADMIN_KEY, 'member', member],
      queryFn: () => readOf(adminCall('x/admin/MemberView', { member })),
    },
    queryClient,
  );
  const { data: shown } = query;
  const closeAct = () => setAct(undefined);
  return (
    <>
      <Dialog
        open
        wide
        onClose={onClose}
        title={t('admin.memberTitle', { id: member })}
        closeLabel={t('common.close')}
      >
        {shown !== undefined ? (
          <>
            <Facts shown={shown} />
            <Acts shown={shown} onAct={setAct} />
          </>
        ) : (
          <Unread query={query} height="h-40" />
        )}
      </Dialog>
      {shown !== undefined && act === 'reveal' && <RevealDialog shown={shown} onClose={closeAct} />}
      {shown !== undefined && act !== undefined && act !== 'reveal' && (
        <MemberAct act={act} shown={shown} onClose={closeAct} />
      )}
    </>
  );
}

function Facts({ shown }: { readonly shown: Shown }) {
  const t = useText();
  const locale = useLocale();
  const time = (millis: number | null): string => (millis === null ? '-' : formatDateTime(millis, locale));
  const frozen = t(shown.frozenByStaff ? 'admin.member.frozenByStaff' : 'admin.member.frozenByMember');
  const rate = shown.kolRateBps === null ? '' : ` · ${shown.kolRateBps / 100} %`;
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-6 max-md:grid-cols-1">
        <Fact name={t('admin.member.nickname')}>{shown.nickname}</Fact>
        <Fact name={t('common.status')}>
          {shown.frozen ? <Badge tone="warning">{frozen}</Badge> : t('admin.member.open')}
        </Fact>
        <Fact name={t('admin.email')}>{shown.email}</Fact>
        <Fact name={t('admin.member.mobile')}>{shown.mobile ?? '-'}</Fact>
        <Fact name={t('admin.member.country')}>{shown.country ?? '-'}</Fact>
        <Fact name={t('admin.member.since')}>{time(shown.createdAt)}</Fact>
        <Fact name={t('admin.member.lastLogin')}>{time(shown.lastLoginAt)}</Fact>
        <Fact name={t('admin.member.authenticator')}>
          {t(shown.authenticator ? 'admin.yes' : 'admin.no')}
        </Fact>
        <Fact name={t('admin.member.kyc')}>
          {t(`admin.member.kyc.${shown.kyc}`)}
          {(shown.kyc === 'done' || shown.kyc === 'expired') &&
            shown.kycValidUntil !== null &&
            ` · ${t('admin.member.kycUntil', { time: time(shown.kycValidUntil) })}`}
        </Fact>
        <Fact name={t('admin.member.tier')}>{shown.tier}</Fact>
        <Fact name={t('admin.member.equity')}>{equityText(shown)}</Fact>
        <Fact name={t('admin.member.locked')}>{time(shown.moneyLockedUntil)}</Fact>
        <Fact name={t('admin.member.tkropen')}>{t(shown.tkropen ? 'admin.yes' : 'admin.no')}</Fact>
        <Fact name={t('admin.member.referral')}>{shown.referralCode}</Fact>
        <Fact name={t('admin.member.kol')}>{shown.kolCode === null ? '-' : `${shown.kolCode}${rate}`}</Fact>
        <Fact name={t('admin.member.invitees')}>{shown.invitees}</Fact>
        <Fact name={t('admin.member.sessions')}>{shown.sessions.length}</Fact>
      </dl>
      <ul className="flex flex-col gap-1 text-xs text-soft">
        {shown.sessions.map((session) => (
          <li key={`${session.createdAt} ${session.address}`}>
            {time(session.createdAt)} · {session.address} · {deviceOf(session.userAgent) || '-'}
          </li>
        ))}
      </ul>
    </>
  );
}

function Acts({ shown, onAct }: { readonly shown: Shown; readonly onAct: (act: Act) => void }) {
  const t = useText();
  const self = useStore(adminSession, (state) => state.self);
  const { roles = [], demo = false } = self ?? {};
  const fits: Readonly<Record<Act, boolean>> = {
    reveal: (shown.email ?? shown.mobile) !== null && !demo,
    freeze: !shown.frozenByStaff,
    unfreeze: shown.frozen,
    end: shown.sessions.length > 0,
    tkropen: true,
    kol: true,
    revoke: shown.kyc === 'done' && !demo,
  };
  const offered = (Object.keys(CALL_OF) as Act[]).filter((act) => fits[act] && mayCall(CALL_OF[act], roles));
  return (
    <div className="flex flex-wrap gap-2">
      {offered.map((act) => (
        <Button
          key={act}
          tone={act === 'freeze' || act === 'revoke' ? 'danger' : 'plain'}
          onClick={() => onAct(act)}
        >
          {t(act === 'tkropen' && shown.tkropen ? 'admin.act.tkrclose' : `admin.act.${act}`)}
        </Button>
      ))}
    </div>
  );
}

function MemberAct(props: {
  readonly act: Exclude<Act, 'reveal'>;
  readonly shown: Shown;
  readonly onClose: () => void;
}) {
  const t = useText();
  const { act, shown } = props;
  const [code, setCode] = useState(shown.kolCode ?? '');
  const [percent, setPercent] = useState(String((shown.kolRateBps ?? 2_000) / 100));
  const [why, setWhy] = useState<(typeof WHYS)[number]>('suspected');
  const member = shown.id;
  const send = (reason: string) => {
    switch (act) {
      case 'freeze':
        return adminCall('x/admin/MemberFreeze', { member, reason });
      case 'unfreeze':
        return adminCall('x/admin/MemberUnfreeze', { member, reason });
      case 'end':
        return adminCall('x/admin/MemberEndSessions', { member, reason });
      case 'tkropen':
        return adminCall('x/admin/MemberTkropen', { member, open: !shown.tkropen, reason });
      case 'revoke':
        return adminCall('x/admin/KycRevoke', { member, why, reason });
      case 'kol':
        return adminCall('x/admin/MemberKol', {
          ...{ member, code, reason },
          rateBps: Math.round(Number(percent) * 100),
        });
    }
  };
  const asks = act === 'unfreeze' || act === 'kol' || act === 'revoke';
  const name = act === 'tkropen' && shown.tkropen ? 'tkrclose' : act;
  return (
    <ActDialog
      title={t(`admin.act.${name}`)}
      lead={t(`admin.lead.${act}`, { id: member })}
      button={t(`admin.act.${name}`)}
      danger={act === 'freeze' || act === 'revoke'}
      ready={act !== 'kol' || (KOL_CODE.test(code) && isKolRate(percent))}
      onAct={send}
      onDone={() => {
        say(asks ? 'admin.asked' : 'admin.done');
        readAgain();
      }}
      onClose={props.onClose}
    >
      {act === 'revoke' && (
        <Select
          label={t('admin.kyc.why')}
          value={why}
          options={WHYS.map((value) => ({ value, label: t(`admin.kyc.why.${value}`) }))}
          onChange={setWhy}
        />
      )}
      {act === 'kol' && (
        <>
          <Field
            label={t('admin.kolCode')}
            hint={t('admin.kolHint')}
            value={code}
            maxLength={20}
            onChange={(event) => setCode(event.target.value.toUpperCase())}
          />
          <Field
            label={t('admin.kolRate')}
            inputMode="decimal"
            value={percent}
            maxLength={5}
            onChange={(event) => setPercent(event.target.value)}
          />
        </>
      )}
    </ActDialog>
  );
}
