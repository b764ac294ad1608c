import { type Client, createClient } from '../../src/client/client.ts'
import { type Serving, startServing } from '../commands/serving.ts'
import { newFolder } from '../support/folders.ts'
import { freePort } from '../support/ports.ts'

/** Several servers with one database. Each server keeps its home, key and address when it is restarted. */
export interface Cluster {
  readonly size: number
  /** Returns the current server at an index. */
  readonly at: (place: number) => Serving
  /** Returns a client of the server at an index. `key` is the idempotency key of its calls. */
  readonly client: (place: number, key?: string) => Client
  /** Kills a server and restarts it at its address; resolves when it responds. */
  readonly replace: (place: number) => Promise<void>
  /** Stops all servers one after another. */
  readonly stop: () => Promise<void>
}

const ANSWER_LIMIT_MS = 5000

/** Starts several servers with one database, each as a separate process. */
export async function startCluster(size: number, db: string): Promise<Cluster> {
  const homes = Array.from({ length: size }, () => newFolder())
  const flags = ['--db', db, '--log-format', 'silent']
  const begin = (home: string, port: string) =>
    startServing([...flags, '--port', port], { PAYCLI_HOME: home })
  const services = await Promise.all(homes.map(async (home) => begin(home, String(await freePort()))))

  function at(place: number): Serving {
    const service = services[place % size]
    if (service === undefined) throw new Error(`no server ${place}`)
    return service
  }

  return {
    size,
    at,
    client(place, key) {
      const { api_url } = at(place).location
      // All servers share one API key, because idempotency keys belong to the API key.
      const { api_key } = at(0).location
      const own = key === undefined ? {} : { idempotencyKey: key }
      return createClient({ apiBase: api_url, apiKey: api_key, timeoutMs: ANSWER_LIMIT_MS, ...own })
    },
    async replace(place) {
      const { location, kill, ended } = at(place)
      kill('SIGKILL')
      await ended
      const port = new URL(location.api_url).port
      services[place % size] = await begin(homes[place % size] ?? '', port)
    },
    async stop() {
      for (const service of services) service.kill('SIGTERM')
      await Promise.all(services.map(({ ended }) => ended))
    },
  }
}
