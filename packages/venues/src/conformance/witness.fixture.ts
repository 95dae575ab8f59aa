import { type ArbiterRequest, VenueArbiter } from '../arbiter/venue-arbiter.ts';
import { ScriptedTime } from '../trading/scripted-transport.fixture.ts';
import { NOON } from './venue-kit.ts';

/** An arbiter that tells what it was asked for, feeds of the public half left out, and may have no room. */
export class Witness extends VenueArbiter {
  readonly asked: ArbiterRequest[] = [];
  readonly full: boolean;

  constructor(full = false) {
    super({ clock: () => NOON, timers: new ScriptedTime() });
    this.full = full;
  }

  override ask(request: ArbiterRequest) {
    if (request.requestClass === 'book-feed') return super.ask(request);
    this.asked.push(request);
    return this.full ? ({ granted: false, retryAfterMillis: 12_000 } as const) : super.ask(request);
  }
}
