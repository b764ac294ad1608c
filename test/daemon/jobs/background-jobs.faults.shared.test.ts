import { api } from '../../../src/api/api.ts'
import { createTestClock, openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { dropDatabase, newDatabaseUrl, stopOwnPostgres } from '../../support/postgres.ts'
import { assert, suite } from '../../support/suite.ts'
import { openWebhookServer, type WebhookServer } from '../../webhooks/webhook-server.ts'

interface Context {
  db: string
  daemons: TestDaemon[]
  receiver: WebhookServer
}

const test = suite<Context>('daemon/background-jobs with faults and a shared PostgreSQL database')

test.before.each(async (context) => {
  context.db = await newDatabaseUrl()
  context.receiver = await openWebhookServer()
  const clock = createTestClock()
  context.daemons = [await openDaemon({ db: context.db, clock }), await openDaemon({ db: context.db, clock })]
})

test.after.each(async ({ db, daemons, receiver }) => {
  for (const daemon of daemons) await daemon.stop()
  await receiver.close()
  await dropDatabase(db)
})

test.after(stopOwnPostgres)

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Resolves when a server applies the fault that another server has just created and announced. */
async function untilKnown(fault: string, { call, tick }: TestDaemon): Promise<void> {
  await until(async () => {
    await tick()
    const { id } = await call(api.customers.create, { email: 'ada@example.com' })
    const [event] = (await call(api.events.list, { object_id: id })).data
    const deliveries = async () => (await call(api.webhookDeliveries.list, { event: event?.id ?? '' })).data
    await until(async () => {
      await tick()
      return (await deliveries()).some(({ status }) => status === 'succeeded')
    })
    return (await deliveries())[0]?.fault === fault
  })
}

test('a fault that one server created applies to the deliveries of both servers, and counts each event once', async ({
  daemons,
  receiver,
}) => {
  const [first, second] = daemons as [TestDaemon, TestDaemon]
  await first.call(api.webhookEndpoints.create, { url: receiver.url })
  const fault = await first.call(api.faults.create, { type: 'bad_signature' })
  await untilKnown(fault.id, second)
  const [{ matched }, received] = [
    await second.call(api.faults.retrieve, { id: fault.id }),
    receiver.received.length,
  ]
  const events = 6
  for (let index = 0; index < events; index += 1) {
    const { call } = index % 2 === 0 ? first : second
    await call(api.customers.create, { email: 'ada@example.com' })
  }
  const settled = async () => {
    for (const daemon of daemons) await daemon.tick()
    const { data } = await first.call(api.webhookDeliveries.list, { limit: events })
    return data.every(({ status }) => status === 'succeeded')
  }
  await until(settled)
  const { data } = await first.call(api.webhookDeliveries.list, { limit: events })
  assert.equal(
    data.map((delivery) => delivery.fault),
    Array(events).fill(fault.id),
  )
  assert.is(receiver.received.length - received, events)
  assert.equal((await second.call(api.faults.retrieve, { id: fault.id })).matched - matched, events)
})

test('a response waits for the early delivery that another server makes', async ({ daemons, receiver }) => {
  const [first, second] = daemons as [TestDaemon, TestDaemon]
  await first.call(api.webhookEndpoints.create, { url: receiver.url })
  const fault = await first.call(api.faults.create, { type: 'early' })
  await untilKnown(fault.id, second)
  // One of the two servers holds the lease of the endpoint, so for one request the other server delivers.
  for (const { call } of daemons) {
    const { id } = await call(api.customers.create, { email: 'ada@example.com' })
    const ids = receiver.received.map(({ body }) => JSON.parse(body).data.object.id)
    assert.ok(ids.includes(id), 'the handler had the event before the response')
  }
  const { data } = await first.call(api.webhookDeliveries.list, { limit: 2 })
  assert.equal(
    data.map((delivery) => [delivery.status, delivery.fault]),
    [
      ['succeeded', fault.id],
      ['succeeded', fault.id],
    ],
  )
})

test.run()
