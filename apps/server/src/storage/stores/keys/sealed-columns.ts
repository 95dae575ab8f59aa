import type { KycFields } from '../../../accounts/kyc/kyc-ports.ts';
import { MAIL_CONTEXT } from '../mail-queue.ts';
import { fieldsContext } from '../members/kyc/kyc-ends.ts';
import { documentHash, pictureContext } from '../members/kyc/kyc-store.ts';
import { statementContext } from '../members/recovery-store.ts';
import { antiPhishingContext, logInContext, otpContext } from '../members/security-acts.ts';
import { adminOtpContext } from '../office/admin-store.ts';
import { venueKeyContext } from '../venue-account-store.ts';

/** A row's columns as text. */
export type TextRow = Readonly<Record<string, string | null>>;

/** A table with sealed columns. */
export interface SealedTable {
  readonly table: string;
  /** Its primary key, in order. */
  readonly key: readonly string[];
  /** What the contexts are made of besides the key. */
  readonly needs: readonly string[];
  /** Each sealed column, and what a row's seal is bound to. */
  readonly columns: Readonly<Record<string, (row: TextRow) => string>>;
  /** Columns that a key of the same installation made of what is sealed: made anew with it. */
  readonly also?: (opened: string, documentKey: Uint8Array) => Readonly<Record<string, string>>;
}

const numberOf = (text: string | null | undefined): number => Number(text);

/** What retired keys leave behind. */
export function keptContext(keyName: string): string {
  return `kept of key:${keyName}`;
}

/** Everything in the database that lies under the master key. A test holds this list against docs/data-classes.md. */
export const SEALED_TABLES: readonly SealedTable[] = [
  {
    ...{ table: 'members', key: ['id'], needs: [] },
    columns: { anti_phishing: ({ id }) => antiPhishingContext(numberOf(id)) },
  },
  { table: 'mail_queue', key: ['id'], needs: [], columns: { mail: () => MAIL_CONTEXT } },
  {
    ...{ table: 'otp_secrets', key: ['setup_id'], needs: ['member'] },
    columns: { secret: ({ member, setup_id: setup }) => otpContext(numberOf(member), setup ?? '') },
  },
  {
    ...{ table: 'auth_flows', key: ['id'], needs: [] },
    columns: { answer: ({ id }) => logInContext(id ?? '') },
  },
  {
    ...{ table: 'kyc_cases', key: ['id'], needs: ['member'] },
    columns: { fields: ({ member, id }) => fieldsContext(numberOf(member), id ?? '') },
    also: (fields, key) => ({ document_hash: documentHash(key, JSON.parse(fields) as KycFields) }),
  },
  {
    // The bytes lie under the picture's own key: that is what is sealed anew.
    ...{ table: 'kyc_pictures', key: ['id'], needs: ['member'] },
    columns: { key: ({ member, id }) => pictureContext(numberOf(member), id ?? '') },
  },
  {
    ...{ table: 'access_recoveries', key: ['id'], needs: ['member', 'contact'] },
    columns: { statement: ({ member, contact }) => statementContext(numberOf(member), contact ?? '') },
  },
  {
    ...{ table: 'venue_accounts', key: ['user_id', 'platform'], needs: [] },
    columns: {
      sealed_secret: (row) => venueKeyContext('secret', numberOf(row.user_id), numberOf(row.platform)),
      sealed_passphrase: (row) =>
        venueKeyContext('passphrase', numberOf(row.user_id), numberOf(row.platform)),
    },
  },
  {
    ...{ table: 'admins', key: ['id'], needs: ['email'] },
    columns: { otp_secret: ({ email }) => adminOtpContext(email ?? '') },
  },
  {
    ...{ table: 'admin_invites', key: ['hash'], needs: ['email'] },
    columns: { otp_secret: ({ email }) => adminOtpContext(email ?? '') },
  },
  {
    ...{ table: 'master_keys', key: ['name'], needs: [] },
    columns: { kept: ({ name }) => keptContext(name ?? '') },
  },
];
