import { type AdminCallName, mayCall } from '@crossbook/contract';
import { useStore } from 'zustand';
import { adminSession } from '../../stores/admin/admin-service.ts';

/** Whether who looks may ask for such a change; demo admins only look. */
export function useMaySet(call: AdminCallName): boolean {
  const self = useStore(adminSession, (state) => state.self);
  return self !== undefined && !self.demo && mayCall(call, self.roles);
}
