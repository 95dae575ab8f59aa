import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';

/** How many ports after the default are tried when PORT was not set. */
const PORTS_TRIED_MAX = 50;

/** The wanted address cannot be used; the message names the variable. */
export class ListenRefused extends Error {
  override readonly name = 'ListenRefused';
}

function problemOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}

function shown(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * Listens and answers the URL. A taken PORT that was asked for is an error; the default moves on to the next free one.
 * @throws ListenRefused naming PORT or HOST.
 */
export async function listen(server: FastifyInstance, config: Config): Promise<string> {
  const { host, port } = config;
  const last = port.given ? port.number : port.number + PORTS_TRIED_MAX;
  for (let number = port.number; number <= last; number += 1) {
    try {
      await server.listen({ host, port: number });
      const address = server.server.address();
      const bound = typeof address === 'object' && address !== null ? address.port : number;
      return config.proxy?.publicUrl.origin ?? `http://${shown(host)}:${bound}`;
    } catch (error) {
      const code = problemOf(error);
      if (code === 'EADDRINUSE' && port.given) {
        throw new ListenRefused(
          `PORT ${number} is taken by another program: stop it, or set PORT to a free one`,
        );
      }
      if (code === 'EACCES') throw new ListenRefused(`PORT ${number} may not be used without more rights`);
      if (code !== 'EADDRINUSE') throw new ListenRefused(`HOST ${host} cannot be listened on (${code})`);
    }
  }
  throw new ListenRefused(
    `PORT was not set, and ${port.number} to ${last} are all taken: set PORT to a free one`,
  );
}
