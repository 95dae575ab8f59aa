import { openedOnce } from './opened.ts';
import {
  type HubProcess,
  type SimulatorProcess,
  startHubProcess,
  startSimulatorProcess,
} from './system/hub-process.ts';

/** A simulator and a hub that trades at it, for all tests of a file or block. */
export function playedHub(environment: Readonly<Record<string, string>> = {}): {
  readonly simulator: SimulatorProcess;
  readonly hub: HubProcess;
} {
  const simulator = openedOnce(startSimulatorProcess);
  return { simulator, hub: openedOnce(() => startHubProcess(simulator, environment)) };
}
