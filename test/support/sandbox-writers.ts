import { api } from '../../src/api/api.ts'
import { readPages } from '../../src/cli/request/paginate.ts'
import { type Client, createClient } from '../../src/client/client.ts'
import type { Customer } from '../../src/domain/payments/customers.ts'

const MOST_OBJECTS = 1_000_000

/** A durable sandbox, with the ids of the customers whose creation was acknowledged. */
export interface WrittenSandbox {
  readonly id: string
  readonly apiKey: string
  readonly acknowledged: string[]
}

/** The numbers of acknowledged, lost and misplaced customers and of missing events. */
export interface SandboxDamage {
  readonly acknowledged: number
  readonly lost: number
  /** Customers and events that belong to another sandbox. */
  readonly misplaced: number
  /** Gaps in the sequence of events. */
  readonly gaps: number
}

/** Creates durable sandboxes. */
export async function createWrittenSandboxes(client: Client, count: number): Promise<WrittenSandbox[]> {
  const created: WrittenSandbox[] = []
  while (created.length < count) {
    const { id, api_key } = await client.call(api.sandboxes.create, { storage: 'durable' })
    created.push({ id, apiKey: api_key, acknowledged: [] })
  }
  return created
}

/** Creates customers, each labelled with its sandbox, in all sandboxes concurrently until the server is killed. */
export async function writeUntilKilled(
  apiBase: string,
  sandboxes: readonly WrittenSandbox[],
  onAcknowledged: () => void = () => {},
): Promise<void> {
  await Promise.all(
    sandboxes.map(async ({ id, apiKey, acknowledged }) => {
      const client = createClient({ apiBase, apiKey })
      for (;;) {
        const created = await client
          .call(api.customers.create, { email: 'ada@example.com', metadata: { sandbox: id } })
          .catch(() => null)
        if (created === null) return
        acknowledged.push(created.id)
        onAcknowledged()
      }
    }),
  )
}

/** Compares the contents of all sandboxes with the acknowledged customers. */
export async function findDamage(
  apiBase: string,
  sandboxes: readonly WrittenSandbox[],
): Promise<SandboxDamage> {
  const sum = { acknowledged: 0, lost: 0, misplaced: 0, gaps: 0 }
  for (const { id, apiKey, acknowledged } of sandboxes) {
    const client = createClient({ apiBase, apiKey })
    const customers = await readPages((page) => client.call(api.customers.list, page), MOST_OBJECTS)
    const events = await readPages((page) => client.call(api.events.list, page), MOST_OBJECTS)
    const found = new Set(customers.found.map((customer) => customer.id))
    const labels = [...customers.found, ...events.found.map(({ data }) => data.object as Customer)]
    sum.acknowledged += acknowledged.length
    sum.lost += acknowledged.filter((customer) => !found.has(customer)).length
    sum.misplaced += labels.filter(({ metadata }) => metadata['sandbox'] !== id).length
    sum.gaps += events.found.filter(({ sequence }, at) => sequence !== events.found.length - at).length
    // Every customer has exactly one event.
    sum.gaps += Math.abs(events.found.length - found.size)
  }
  return sum
}
