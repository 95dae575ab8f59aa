import type { AdminKycRow, AdminResponse } from '@crossbook/contract';
import { useState } from 'react';
import { formatDateTime } from '../../i18n/format.ts';
import { LANGUAGE_NAMES, useLocale, useText } from '../../i18n/i18n.ts';
import { adminCall, readOf, say } from '../../stores/admin/admin-service.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { Banner } from '../../ui/states.tsx';
import { ActDialog } from '../parts/ActDialog.tsx';
import { Fact } from '../parts/Fact.tsx';
import { Unread, useLook } from '../parts/Reading.tsx';
import { CasePicture } from './CasePicture.tsx';
import { Duplicates } from './Duplicates.tsx';

type Shown = AdminResponse<'x/admin/KycView'>;

const NOTE_LENGTH_MAX = 300;
const REASONS = [
  ...(['blurred', 'mismatch', 'expired', 'underage', 'country'] as const),
  ...(['duplicate', 'suspected', 'other'] as const),
];
/** What is looked at before a case passes. */
const CHECKS = ['legible', 'name', 'birth', 'number', 'valid', 'face'] as const;

/** A case: what its member states beside what the pictures show, and the decision. Opening it is a look that is logged. */
export function KycCaseDialog({ row, onClose }: { readonly row: AdminKycRow; readonly onClose: () => void }) {
  const t = useText();
  const [deciding, setDeciding] = useState<'pass' | 'refuse'>();
  const query = useLook(['case', row.id], () => readOf(adminCall('x/admin/KycView', { case: row.id })));
  const shown = query.data;
  return (
    <>
      <Dialog
        open
        wide
        onClose={onClose}
        title={t('admin.kyc.title', { id: row.member })}
        closeLabel={t('common.close')}
      >
        {shown !== undefined ? (
          <>
            {shown.masked && <Banner>{t('admin.kyc.masked')}</Banner>}
            <Facts shown={shown} />
            <div className="grid grid-cols-2 gap-4 max-md:grid-cols-1">
              {shown.pictures.map(({ id, kind }) => (
                <CasePicture key={id} caseId={shown.id} id={id} name={t(`admin.kyc.picture.${kind}`)} />
              ))}
            </div>
            {shown.own ? (
              <Banner>{t('admin.kyc.own')}</Banner>
            ) : (
              <div className="flex justify-end gap-2">
                <Button tone="danger" onClick={() => setDeciding('refuse')}>
                  {t('admin.refuse')}
                </Button>
                <Button tone="primary" onClick={() => setDeciding('pass')}>
                  {t('admin.kyc.pass')}
                </Button>
              </div>
            )}
          </>
        ) : (
          <Unread query={query} height="h-80" />
        )}
      </Dialog>
      {shown !== undefined && deciding === 'pass' && (
        <Pass shown={shown} onDone={onClose} onClose={() => setDeciding(undefined)} />
      )}
      {shown !== undefined && deciding === 'refuse' && (
        <Refuse shown={shown} onDone={onClose} onClose={() => setDeciding(undefined)} />
      )}
    </>
  );
}

function Facts({ shown }: { readonly shown: Shown }) {
  const t = useText();
  const locale = useLocale();
  const { fields, duplicates } = shown;
  const country = new Intl.DisplayNames([locale], { type: 'region' }).of(shown.country) ?? shown.country;
  return (
    <dl className="grid grid-cols-2 gap-x-6 max-md:grid-cols-1">
      <Fact name={t('admin.kyc.fullName')}>{fields.fullName}</Fact>
      <Fact name={t('admin.kyc.birthDate')}>{fields.birthDate}</Fact>
      <Fact name={t('admin.member.country')}>{country}</Fact>
      <Fact name={t('admin.kyc.document')}>{t(`admin.kyc.document.${shown.documentKind}`)}</Fact>
      <Fact name={t('admin.kyc.number')}>{fields.documentNumber}</Fact>
      <Fact name={t('admin.kyc.expires')}>{fields.documentExpires ?? '-'}</Fact>
      <Fact name={t('admin.kyc.address')}>{fields.address ?? '-'}</Fact>
      <Fact name={t('admin.kyc.language')}>{LANGUAGE_NAMES[shown.language]}</Fact>
      <Fact name={t('admin.kyc.since')}>{formatDateTime(shown.submittedAt, locale)}</Fact>
      <Fact name={t('admin.kyc.attempt')}>{shown.attempt}</Fact>
      <Fact name={t('admin.kyc.duplicates')}>
        <Duplicates count={duplicates} />
      </Fact>
    </dl>
  );
}

interface DecideProps {
  readonly shown: Shown;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function done(onDone: () => void): void {
  say('admin.done');
  onDone();
}

function Pass({ shown, onDone, onClose }: DecideProps) {
  const t = useText();
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const { id, version, member } = shown;
  return (
    <ActDialog
      title={t('admin.kyc.pass')}
      lead={t('admin.kyc.passLead', { id: member })}
      button={t('admin.kyc.pass')}
      ready={ticked.size === CHECKS.length}
      onAct={(reason) =>
        adminCall('x/admin/KycPass', { case: id, version, checks: [...ticked].join(','), reason })
      }
      onDone={() => done(onDone)}
      onClose={onClose}
    >
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 text-xs text-soft">{t('admin.kyc.checks')}</legend>
        {CHECKS.map((check) => (
          <Checkbox
            key={check}
            label={t(`admin.kyc.check.${check}`)}
            checked={ticked.has(check)}
            onChange={({ target }) => {
              const others = [...ticked].filter((one) => one !== check);
              setTicked(new Set(target.checked ? [...others, check] : others));
            }}
          />
        ))}
      </fieldset>
      <p className="text-xs text-soft">{t('admin.kyc.noLists')}</p>
    </ActDialog>
  );
}

function Refuse({ shown, onDone, onClose }: DecideProps) {
  const t = useText();
  const [why, setWhy] = useState<(typeof REASONS)[number]>('blurred');
  const [note, setNote] = useState('');
  const { id, version, member, language, masked } = shown;
  // A demo admin writes no remark, which the last reason needs.
  const reasons = masked ? REASONS.filter((value) => value !== 'other') : REASONS;
  const remark = note.trim();
  return (
    <ActDialog
      danger
      title={t('admin.refuse')}
      lead={t('admin.kyc.refuseLead', { id: member })}
      button={t('admin.refuse')}
      ready={why !== 'other' || remark !== ''}
      onAct={(reason) =>
        adminCall('x/admin/KycRefuse', {
          ...{ case: id, version, why, reason },
          ...(remark === '' ? {} : { note: remark }),
        })
      }
      onDone={() => done(onDone)}
      onClose={onClose}
    >
      <Select
        label={t('admin.kyc.why')}
        value={why}
        onChange={setWhy}
        options={reasons.map((value) => ({ value, label: t(`admin.kyc.why.${value}`) }))}
      />
      {!masked && (
        <Field
          label={t('admin.kyc.note')}
          hint={t('admin.kyc.noteHint', { language: LANGUAGE_NAMES[language] })}
          maxLength={NOTE_LENGTH_MAX}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      )}
    </ActDialog>
  );
}
