import { api } from '../../src/api/api.ts'
import { createClient } from '../../src/client/client.ts'
import { startDaemon } from '../../src/daemon/start.ts'

const AT_ONCE = 64
const CALL_LIMIT_MS = 600_000

export interface RenewalDaemonOptions {
  readonly folder: string
  /** The database: a file, the URL of a PostgreSQL server, or null for an in-memory database. */
  readonly file: string | null
}

/** Starts a daemon with monthly subscriptions on one test clock, driven over HTTP. */
export async function startRenewalDaemon({ folder, file }: RenewalDaemonOptions) {
  const daemon = await startDaemon({
    home: folder,
    db: file,
    port: 0,
    checkoutPort: 0,
    forwardTo: [],
    retries: 'none',
    log: () => {},
    pid: process.pid,
    isServiceRunning: async () => false,
  })
  const { api_url: apiBase, api_key: apiKey } = daemon.location
  const client = createClient({ apiBase, apiKey, timeoutMs: CALL_LIMIT_MS })
  const clock = await client.call(api.testClocks.create, { frozen_time: 1_700_000_000 })

  async function subscribe(): Promise<void> {
    const { id: customer } = await client.call(api.customers.create, {
      email: 'tenant@example.com',
      test_clock: clock.id,
    })
    const session = await client.call(api.checkoutSessions.create, {
      currency: 'eur',
      customer,
      subscription_data: {
        interval: 'month',
        items: [{ description: 'Rent', type: 'rent', price_data: { amount: 100_000, tax_percent: 20 } }],
      },
    })
    await client.call(api.checkoutSessions.complete, { id: session.id, test_card: 'visa' })
  }

  return {
    /** Creates this number of subscriptions. */
    async subscribe(count: number): Promise<void> {
      let left = count
      const one = async () => {
        while (left > 0) {
          left -= 1
          await subscribe()
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, one))
    },
    /** Advances the clock by this number of months and returns the duration in seconds. */
    async advance(months: number): Promise<number> {
      const startedMs = performance.now()
      // One advance is limited to 10,000 billing periods, so the clock advances month by month.
      for (let month = 0; month < months; month += 1) {
        await client.call(api.testClocks.advance, { id: clock.id, by: { interval: 'month', count: 1 } })
      }
      return (performance.now() - startedMs) / 1000
    },
    port: () => Number(new URL(apiBase).port),
    key: () => apiKey,
    /** Creates a customer in real time and returns its id. */
    async customer(): Promise<string> {
      const { id } = await client.call(api.customers.create, { email: 'other@example.com' })
      return id
    },
    /** Stops the daemon and ends the process. */
    async stop(): Promise<void> {
      await daemon.stop()
      setImmediate(() => process.exit())
    },
  }
}
