import { codeShown } from '../../../../tests/authenticator-app.ts';
import type { TestHub } from '../main/testing.ts';

/** A hub, and the authenticator apps of who uses it. */
export class HubWorld {
  readonly hub: TestHub;

  constructor(hub: TestHub) {
    this.hub = hub;
  }

  close(): Promise<void> {
    return this.hub.close();
  }

  /** What an authenticator app shows `steps` half-minutes from now. */
  shows(secret: string, steps = 0): string {
    return codeShown(secret, this.hub.now(), steps);
  }

  /** Six digits that no step around now has. */
  wrong(secret: string): string {
    const right = [-1, 0, 1].map((step) => this.shows(secret, step));
    return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code)) ?? '';
  }
}
