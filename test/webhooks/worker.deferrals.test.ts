import { releaseDelivery, releasePendingDelivery } from '../../src/domain/events/webhook-deliveries.ts'
import type { Store } from '../../src/store/port/store.ts'
import { assert, suite } from '../support/suite.ts'
import {
  allOf,
  closeFaultyEndpoint,
  type FaultyEndpoint,
  idsOf,
  openFaultyEndpoint,
  openWorker,
} from './faulty-endpoint.ts'
import { deliverDue } from './outbox.ts'

const test = suite<FaultyEndpoint>('webhooks/worker with deferred deliveries')

test.before.each(openFaultyEndpoint)
test.after.each(closeFaultyEndpoint)

/** Returns a store that records the collections that its transactions list. */
function recordLists({ transact, ...store }: Store, lists: string[]): Store {
  return {
    ...store,
    transact: (work) =>
      transact((reader) => {
        const list: typeof reader.list = (collection, query) => {
          lists.push(collection)
          return reader.list(collection, query)
        }
        return work({ ...reader, list })
      }),
  }
}

test('sends a delayed delivery exactly at its due millisecond, after later deliveries', async (context) => {
  const { outbox } = context
  const fault = await outbox.addFault({ type: 'delay_delivery', delay_ms: 1300, times: 1 })
  const [first, second] = await outbox.emit(2)
  const worker = openWorker(context)
  await deliverDue(worker)
  assert.equal(idsOf(context), [second?.id])
  assert.equal(await allOf(context, 'status'), ['pending', 'succeeded'])
  assert.equal(await allOf(context, 'fault'), [fault.id, null])
  outbox.now += 1.299
  await deliverDue(worker)
  assert.equal(idsOf(context), [second?.id])
  outbox.now += 0.001
  await deliverDue(worker)
  assert.equal(idsOf(context), [second?.id, first?.id])
  assert.equal(await allOf(context, 'fault'), [fault.id, null])
  assert.is((await outbox.fault(fault)).matched, 2)
})

test('holds deliveries until they are released, then sends them in the order of the events', async (context) => {
  const { outbox } = context
  await outbox.addFault({ type: 'hold', times: 2 })
  const [first, second, third] = await outbox.emit(3)
  const worker = openWorker(context)
  await deliverDue(worker)
  outbox.now += 1_000_000
  await deliverDue(worker)
  assert.equal(idsOf(context), [third?.id])
  assert.equal(
    (await outbox.deliveries()).map(({ next_attempt_at }) => next_attempt_at),
    [null, null, null],
  )
  const [fourth] = await outbox.emit()
  for (const one of (await outbox.deliveries()).slice(0, 2).toReversed())
    await outbox.write({ put: releaseDelivery(one).after })
  await deliverDue(worker)
  assert.equal(idsOf(context), [third?.id, first?.id, second?.id, fourth?.id])
})

test('holds a delivery until its rule expires', async (context) => {
  const { outbox } = context
  await outbox.addFault({ type: 'hold', expires_at: outbox.now + 60 })
  await outbox.emit()
  const worker = openWorker(context)
  await deliverDue(worker)
  outbox.now += 59
  await deliverDue(worker)
  assert.is(context.receiver.received.length, 0)
  outbox.now += 1
  await deliverDue(worker)
  assert.is(context.receiver.received.length, 1)
})

test('swaps pairs of deliveries, in one tick and in several ticks', async (context) => {
  const { outbox } = context
  const fault = await outbox.addFault({ type: 'swap' })
  const [a, b, c, d] = await outbox.emit(4)
  const worker = openWorker(context)
  await deliverDue(worker)
  assert.equal(idsOf(context), [b?.id, a?.id, d?.id, c?.id])
  const [e] = await outbox.emit()
  await deliverDue(worker)
  const [f] = await outbox.emit()
  await deliverDue(worker)
  assert.equal(idsOf(context).slice(4), [f?.id, e?.id])
  assert.equal(await allOf(context, 'fault'), Array(6).fill(fault.id))
  assert.equal(await allOf(context, 'status'), Array(6).fill('succeeded'))
})

test('swaps only the selected delivery, and sends it after 10 s when no delivery follows', async (context) => {
  const { outbox } = context
  await outbox.addFault({ type: 'swap', skip: 1, times: 1 })
  const [a, b, c, d] = await outbox.emit(4)
  const worker = openWorker(context)
  await deliverDue(worker)
  assert.equal(idsOf(context), [a?.id, c?.id, b?.id, d?.id])
  await outbox.addFault({ type: 'swap', times: 1 })
  const [e] = await outbox.emit()
  await deliverDue(worker)
  outbox.now += 9.9
  await deliverDue(worker)
  assert.is(context.receiver.received.length, 4)
  outbox.now += 0.1
  await deliverDue(worker)
  assert.equal(idsOf(context).slice(4), [e?.id])
})

test('a failed attempt of the next delivery also ends a swap', async (context) => {
  const { outbox } = context
  context.status = 500
  await outbox.addFault({ type: 'swap', times: 1 })
  const [a, b] = await outbox.emit(2)
  await deliverDue(openWorker(context))
  assert.equal(idsOf(context), [b?.id, a?.id])
})

test('a swap does not list the webhook deliveries', async (context) => {
  const { outbox, sender } = context
  await outbox.addFault({ type: 'swap' })
  const [a, b] = await outbox.emit(2)
  const lists: string[] = []
  const store = recordLists(outbox.store, lists)
  await deliverDue(outbox.worker(sender.send, { store, faults: outbox.faults }))
  assert.equal(idsOf(context), [b?.id, a?.id])
  assert.not(lists.includes('webhook_deliveries'))
})

test('continues after a restart with held and deferred deliveries', async (context) => {
  const { outbox } = context
  await outbox.addFault({ type: 'hold', times: 1 })
  await outbox.addFault({ type: 'delay_delivery', delay_ms: 2000, times: 1 })
  const [held, delayed] = await outbox.emit(2)
  await deliverDue(openWorker(context))
  const restarted = openWorker(context)
  outbox.now += 2
  await deliverDue(restarted)
  assert.equal(idsOf(context), [delayed?.id])
  const [pending] = await outbox.deliveries({ status: 'pending' })
  if (pending) await outbox.write({ put: releasePendingDelivery(pending).after })
  await deliverDue(restarted)
  assert.equal(idsOf(context), [delayed?.id, held?.id])
})

test('sends a delivery whose fault was deleted before it was deferred', async (context) => {
  const { outbox } = context
  const fault = await outbox.addFault({ type: 'hold' })
  await outbox.emit()
  const worker = outbox.worker(context.sender.send, {
    faults: {
      ...outbox.faults,
      select: async (point) => {
        const claimed = await outbox.faults.select(point)
        await outbox.write({ remove: await outbox.fault(fault) })
        return claimed
      },
    },
  })
  await deliverDue(worker)
  assert.is(context.receiver.received.length, 1)
})

test.run()
