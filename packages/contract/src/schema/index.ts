export { ADMIN_SCHEMAS } from './admin.ts';
export { ADMIN_ROLES } from './admin-fields.ts';
export { CALL_SCHEMAS } from './calls.ts';
export {
  type BalanceRow,
  balanceRow,
  type FillRow,
  fillRow,
  type OrderRow,
  orderRow,
  type SymbolRow,
  symbolRow,
  type TransferRow,
  transferRow,
} from './rows.ts';
