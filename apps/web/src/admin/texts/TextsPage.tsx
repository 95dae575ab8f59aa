import type { AdminContentRow } from '@crossbook/contract';
import { mayCall } from '@crossbook/contract';
import { useState } from 'react';
import { useStore } from 'zustand';
import { formatDateTime } from '../../i18n/format.ts';
import { useLocale, useText } from '../../i18n/i18n.ts';
import { adminCall, adminSession, readOf } from '../../stores/admin/admin-service.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { Badge } from '../../ui/states.tsx';
import type { Column } from '../../ui/tables/Table.tsx';
import { openColumn, PagedTable, usePages } from '../parts/PagedTable.tsx';
import { GROWING, type TextKind } from './draft-form.ts';
import { TextEditor } from './TextEditor.tsx';

const KINDS: readonly TextKind[] = ['event', 'announcement', 'faq', 'page', 'terms', 'privacy'];

/** What members read: a list by kind, and one text being written. */
export function TextsPage() {
  const t = useText();
  const [kind, setKind] = useState<TextKind>('announcement');
  const [open, setOpen] = useState<string>();
  if (open !== undefined) return <TextEditor kind={kind} slug={open} onBack={() => setOpen(undefined)} />;
  return (
    <>
      <p className="text-[13px] text-soft">{t('admin.texts.lead')}</p>
      <TextList key={kind} kind={kind} onKind={setKind} onOpen={setOpen} />
    </>
  );
}

function TextList(props: {
  readonly kind: TextKind;
  readonly onKind: (kind: TextKind) => void;
  readonly onOpen: (slug: string) => void;
}) {
  const { kind, onKind, onOpen } = props;
  const t = useText();
  const locale = useLocale();
  const mayWrite = useStore(adminSession, ({ self }) => mayCall('x/admin/ContentDraft', self?.roles ?? []));
  const pages = usePages<AdminContentRow>(['texts', kind], (cursor) =>
    readOf(
      adminCall('x/admin/ContentList', { kind, limit: 50, ...(cursor === undefined ? {} : { cursor }) }),
    ),
  );
  const columns: readonly Column<AdminContentRow>[] = [
    { id: 'slug', head: t('admin.texts.slug'), cell: ({ slug }) => slug, wideOnly: true },
    { id: 'title', head: t('admin.texts.title'), cell: ({ title }) => title || '-' },
    {
      id: 'state',
      head: t('common.status'),
      cell: ({ state, drafted }) => (
        <span className="inline-flex gap-1">
          <Badge tone={state === 'live' ? 'up' : 'plain'}>{t(`admin.texts.state.${state}`)}</Badge>
          {drafted && state !== 'draft' && <Badge tone="warning">{t('admin.texts.drafted')}</Badge>}
        </span>
      ),
    },
    {
      id: 'from',
      head: t('admin.texts.from'),
      cell: ({ publishAt }) => (publishAt === null ? '-' : formatDateTime(publishAt, locale)),
      wideOnly: true,
    },
    {
      id: 'version',
      head: t('admin.texts.version'),
      cell: ({ version }) => version ?? '-',
      wideOnly: true,
    },
    openColumn(
      t,
      ({ slug }) => t('admin.texts.openText', { slug }),
      ({ slug }) => onOpen(slug),
    ),
  ];
  return (
    <PagedTable
      label={t('admin.page.texts')}
      columns={columns}
      pages={pages}
      rowKey={({ slug }) => slug}
      above={
        <div className="flex flex-wrap items-start gap-3">
          <Select
            label={t('admin.texts.kind')}
            value={kind}
            options={KINDS.map((value) => ({ value, label: t(`admin.texts.kind.${value}`) }))}
            onChange={onKind}
          />
          {mayWrite && GROWING.includes(kind) && <NewText onOpen={onOpen} />}
        </div>
      }
    />
  );
}

function NewText({ onOpen }: { readonly onOpen: (slug: string) => void }) {
  const t = useText();
  const [slug, setSlug] = useState('');
  return (
    <form
      className="flex flex-wrap items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (/^[a-z0-9-]{1,60}$/.test(slug)) onOpen(slug);
      }}
    >
      <Field
        label={t('admin.texts.slug')}
        hint={t('admin.texts.slugHint')}
        className="w-64 max-w-full"
        value={slug}
        maxLength={60}
        onChange={(event) => setSlug(event.target.value.toLowerCase().replace(/[^a-z0-9-]+/g, '-'))}
      />
      <Button type="submit" className="mt-5 h-10" disabled={slug === ''}>
        {t('admin.texts.new')}
      </Button>
    </form>
  );
}
