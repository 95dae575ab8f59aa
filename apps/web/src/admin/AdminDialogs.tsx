import type { AdminRole, AdminStaffRow } from '@crossbook/contract';
import { useState } from 'react';
import { useText } from '../i18n/i18n.ts';
import { adminCall, say } from '../stores/admin/admin-service.ts';
import { Checkbox } from '../ui/Checkbox.tsx';
import { Field } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import { ActDialog } from './parts/ActDialog.tsx';
import { readAgain } from './parts/PagedTable.tsx';

const ROLES: readonly AdminRole[] = [
  'support',
  'kyc',
  'treasury-maker',
  'treasury-checker',
  'admin',
  'auditor',
];
/** Nobody has a role of the one kind beside one of the other; the hub says so too. */
const APART: Readonly<Partial<Record<AdminRole, readonly AdminRole[]>>> = {
  kyc: ['treasury-maker', 'treasury-checker'],
  'treasury-maker': ['kyc', 'treasury-checker'],
  'treasury-checker': ['kyc', 'treasury-maker'],
};

/** The roles of one admin; what must stay apart cannot be ticked together. */
function RoleChoice(props: {
  readonly roles: readonly AdminRole[];
  readonly onChange: (roles: readonly AdminRole[]) => void;
}) {
  const t = useText();
  const { roles, onChange } = props;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-xs text-soft">{t('admin.staff.roles')}</legend>
      {ROLES.map((role) => (
        <Checkbox
          key={role}
          label={t(`admin.role.${role}`)}
          checked={roles.includes(role)}
          disabled={!roles.includes(role) && (APART[role] ?? []).some((other) => roles.includes(other))}
          onChange={(event) =>
            onChange(ROLES.filter((other) => (other === role ? event.target.checked : roles.includes(other))))
          }
        />
      ))}
      <p className="text-xs text-faint">{t('admin.staff.apart')}</p>
    </fieldset>
  );
}

function asked(): void {
  say('admin.asked');
  readAgain();
}

/** Asks for somebody to become an admin. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const [email, setEmail] = useState('');
  const [roles, setRoles] = useState<readonly AdminRole[]>([]);
  return (
    <ActDialog
      title={t('admin.staff.invite')}
      lead={t('admin.staff.inviteLead')}
      button={t('admin.staff.invite')}
      ready={email.trim() !== '' && roles.length > 0}
      onAct={(reason) =>
        adminCall('x/admin/AdminInvite', { email: email.trim(), roles: roles.join(), reason })
      }
      onDone={asked}
      onClose={onClose}
    >
      <Field
        label={t('admin.email')}
        type="email"
        autoComplete="off"
        maxLength={254}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <RoleChoice roles={roles} onChange={setRoles} />
    </ActDialog>
  );
}

/** Asks for other roles of an admin, or for an end. */
export function AdminDialog({ row, onClose }: { readonly row: AdminStaffRow; readonly onClose: () => void }) {
  const t = useText();
  const [act, setAct] = useState<'roles' | 'disable'>('roles');
  const [roles, setRoles] = useState<readonly AdminRole[]>(row.roles);
  const isRoles = act === 'roles';
  return (
    <ActDialog
      title={row.name}
      lead={t(isRoles ? 'admin.staff.rolesLead' : 'admin.staff.disableLead', { name: row.name })}
      button={t(isRoles ? 'admin.staff.change' : 'admin.staff.disable')}
      danger={!isRoles}
      ready={!isRoles || (roles.length > 0 && roles.join() !== row.roles.join())}
      onAct={(reason) =>
        isRoles
          ? adminCall('x/admin/AdminRoles', { admin: row.id, roles: roles.join(), reason })
          : adminCall('x/admin/AdminDisable', { admin: row.id, reason })
      }
      onDone={asked}
      onClose={onClose}
    >
      <Select
        label={t('admin.what')}
        value={act}
        options={(['roles', 'disable'] as const).map((value) => ({
          value,
          label: t(value === 'roles' ? 'admin.staff.change' : 'admin.staff.disable'),
        }))}
        onChange={(value) => setAct(value === 'disable' ? 'disable' : 'roles')}
      />
      {isRoles && <RoleChoice roles={roles} onChange={setRoles} />}
    </ActDialog>
  );
}
