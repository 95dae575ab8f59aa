import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FaultBox } from '../../faults.ts';
import type { ContractRig } from '../../perps/contract-rig.fixture.ts';
import type { Dialect } from '../dialect.ts';
import { randomText } from './rig.fixture.ts';

/** For tests only: dialects on a port over the real core, whose marks, books and clock stand where they are put. */
export abstract class CoreRig {
  readonly core: ContractRig;
  readonly faults = new FaultBox();
  /** Faults of ours; a test that has any has failed. */
  readonly complaints: unknown[] = [];
  readonly url: string;
  readonly #server: Server;
  #dialects: readonly Dialect[] = [];

  protected constructor(core: ContractRig, server: Server) {
    this.core = core;
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => {
      const path = (request.url ?? '/').split('?')[0] ?? '/';
      const owner = this.#dialects.find((dialect) => dialect.owns(path)) ?? this.#dialects[0];
      owner?.handleHttp(request, response).catch((fault: unknown) => this.complaints.push(fault));
    });
    server.on('upgrade', (request, socket, head) => {
      socket.on('error', () => socket.destroy());
      const taken = this.#dialects.some((dialect) => dialect.handleUpgrade(request, socket, head));
      if (!taken) socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
    });
  }

  /** What a dialect is made of, besides its limits. */
  protected get parts() {
    const { core, faults } = this;
    const venue = {
      ...{ slug: core.slug, spot: core.exchange, perps: core.perps },
      story: { premium: () => 0, longShare: () => 0.5, indexParts: () => [] },
      watch: () => () => undefined,
    };
    return { venue, faults, randomText, onFault: (fault: unknown) => void this.complaints.push(fault) };
  }

  /** Puts dialects behind the port, in place of those of before. */
  protected serve(...dialects: readonly Dialect[]): this {
    this.unserve();
    this.#dialects = dialects;
    return this;
  }

  /** Ends the dialects, as with their process. */
  protected unserve(): void {
    for (const dialect of this.#dialects) dialect.close();
  }

  async close(): Promise<void> {
    this.unserve();
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    for (const dialect of this.#dialects) dialect.dropSockets('all');
    await closed;
    await this.core.exchange.close();
  }
}
