import { api } from '../../../src/api/api.ts'
import type { Client } from '../../../src/client/client.ts'
import { createMissing, type ObjectIds } from '../../support/example-objects.ts'
import { START } from '../../support/rule-context.ts'
import { RENT } from '../../support/samples.ts'

/**
 * Creates at least one object of each resource and returns an id by resource. `faultClient` creates the fault, because
 * a server that other machines can reach requires a key with the scope of faults.
 */
export async function createEveryObject(
  { call }: Pick<Client, 'call'>,
  faultClient: Pick<Client, 'call'> = { call },
): Promise<ObjectIds> {
  // Nothing listens on this port, so deliveries wait for their retry.
  await call(api.webhookEndpoints.create, { url: 'http://127.0.0.1:9/hook' })
  await call(api.apiKeys.create, { name: 'spare' })
  await faultClient.call(api.faults.create, { type: 'swap', match: { event_type: 'invoice.overdue' } })
  const { id: test_clock } = await call(api.testClocks.create, { frozen_time: START })
  const { id: customer } = await call(api.customers.create, { email: 'ada@example.com', test_clock })
  const { id: checkout } = await call(api.checkoutSessions.create, {
    ...{ currency: 'eur', customer },
    subscription_data: { interval: 'month', items: [RENT] },
  })
  await call(api.checkoutSessions.complete, { id: checkout, test_card: 'visa' })
  const { data: cards } = await call(api.paymentMethods.listOfCustomer, { id: customer })
  const ids: Record<string, string> = { payment_methods: cards[0]?.id ?? '', sandboxes: '' }
  for (const [name, list] of everyList()) {
    const [newest] = (await call(list, {})).data
    if (newest) ids[name] = newest.id
  }
  return createMissing(call, ids)
}

/**
 * Reads all objects and events; returns one string for each list. Request logs are excluded, because each read adds a
 * request log.
 */
export async function readEveryList({ call }: Pick<Client, 'call'>): Promise<string[]> {
  const texts: string[] = []
  for (const [name, list] of everyList()) {
    if (name === 'request_logs') continue
    const { data } = await call(list, { limit: 100 })
    texts.push(JSON.stringify(data))
  }
  return texts
}

// Every list accepts common parameters, which the common type of all lists does not express.
function everyList(): [name: string, list: typeof api.events.list][] {
  return Object.entries(api)
    .filter(([group, operations]) => 'list' in operations && group !== 'sandboxes')
    .map(([group, operations]) => [
      group.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      (operations as typeof api.events).list,
    ])
}
