import { planResend } from '../../src/domain/webhook-resends.ts'
import type { DeliveryRequest } from '../../src/webhooks/request.ts'
import { parseSchedule } from '../../src/webhooks/schedule.ts'
import { signatureHeaders } from '../../src/webhooks/sign.ts'
import { assert, suite } from '../support/suite.ts'
import { answer, broken, Outbox } from './outbox.ts'

const test = suite('webhooks/worker: resends and secrets')

const URL = 'http://a.test/hook'
const FIRST = `whsec_${'A'.repeat(32)}`
const SECOND = `whsec_${'B'.repeat(32)}`

/** Plans a delivery by hand, as the API does. */
async function resend(outbox: Outbox, event: string): Promise<void> {
  const told = await outbox.store.get('events', event)
  const [endpoint] = (await outbox.store.list('webhook_endpoints', { limit: 1 })).data
  if (!told || !endpoint) throw new Error('there is nothing to resend')
  const planned = planResend(
    { event: told, deliveries: await outbox.deliveries({ event }) },
    endpoint,
    outbox.context(),
  )
  if (planned) await outbox.write({ put: planned.after })
}

const rows = async (outbox: Outbox) =>
  (await outbox.deliveries()).map(
    ({ trigger, attempt, status, next_attempt_at }) =>
      `${trigger} ${attempt} ${status} ${next_attempt_at === null ? '-' : next_attempt_at - START}`,
  )

const START = 1_790_000_000
const schedule = parseSchedule('1h,1h')

async function work(outbox: Outbox, send: () => ReturnType<typeof answer>): Promise<DeliveryRequest[]> {
  const sent: DeliveryRequest[] = []
  const worker = outbox.worker(
    async (request) => {
      sent.push(request)
      return send()
    },
    { schedule },
  )
  await worker.tick()
  await worker.idle()
  return sent
}

test('a resend has the same id and body and a signature of its own time', async () => {
  const outbox = new Outbox()
  await outbox.addEndpoint(URL)
  const [event] = await outbox.emit()
  const [first] = await work(outbox, answer)
  outbox.now += 60
  await resend(outbox, event?.id ?? '')
  const [second] = await work(outbox, answer)
  assert.is(second?.headers['webhook-id'], event?.id)
  assert.is(second?.body, first?.body)
  assert.is(second?.headers['webhook-timestamp'], String(START + 60))
  assert.not.equal(second?.headers['webhook-signature'], first?.headers['webhook-signature'])
  assert.equal(await rows(outbox), ['automatic 1 succeeded -', 'manual 1 succeeded -'])
})

test('a resend that fails leaves the schedule as it was and is not retried by itself', async () => {
  const outbox = new Outbox()
  await outbox.addEndpoint(URL)
  const [event] = await outbox.emit()
  await work(outbox, () => broken)
  const retry = outbox.now + 3600
  await resend(outbox, event?.id ?? '')
  await work(outbox, () => broken)
  assert.equal(await rows(outbox), [
    `automatic 1 failed ${retry - START}`,
    `automatic 2 pending ${retry - START}`,
    'manual 1 failed -',
  ])
  await resend(outbox, event?.id ?? '')
  await work(outbox, () => broken)
  outbox.now = retry
  await work(outbox, () => broken)
  assert.equal(
    outbox.attempts.map(({ trigger, attempt }) => `${trigger} ${attempt}`),
    ['automatic 1', 'manual 1', 'manual 2', 'automatic 2'],
  )
})

test('a resend that succeeds ends the retries', async () => {
  const outbox = new Outbox()
  await outbox.addEndpoint(URL)
  const [event] = await outbox.emit()
  await work(outbox, () => broken)
  await resend(outbox, event?.id ?? '')
  await work(outbox, answer)
  assert.equal(await rows(outbox), ['automatic 1 failed 3600', 'manual 1 succeeded -'])
  outbox.now += 36_000
  assert.equal(await work(outbox, answer), [])
})

test('a resend that still waits is not asked for twice', async () => {
  const outbox = new Outbox()
  await outbox.addEndpoint(URL)
  const [event] = await outbox.emit()
  await work(outbox, answer)
  await resend(outbox, event?.id ?? '')
  await resend(outbox, event?.id ?? '')
  const waiting = await outbox.store.list('webhook_deliveries', { where: { status: 'pending' }, limit: 9 })
  assert.is(waiting.data.length, 1)
  assert.is((await work(outbox, answer)).length, 1)
})

test('however much was resent, a new event does not wait behind it', async () => {
  const outbox = new Outbox()
  await outbox.addEndpoint(URL)
  const events = await outbox.emit(20)
  await work(outbox, answer)
  for (const { id } of events) await resend(outbox, id)
  outbox.now += 1
  const [fresh] = await outbox.emit()
  const sent = await work(outbox, answer)
  assert.equal(
    sent.map(({ headers }) => headers['webhook-id']),
    [fresh?.id, ...events.map(({ id }) => id)],
  )
})

test('both secrets sign until the old one ends, the new one first, and at that second only the new one', async () => {
  const outbox = new Outbox()
  const endpoint = await outbox.addEndpoint(URL, FIRST)
  const until = outbox.now + 3600
  await outbox.write({
    put: {
      id: endpoint,
      object: 'webhook_secret',
      secret: SECOND,
      previous: [{ secret: FIRST, expires_at: until }],
    } as { id: string; object: string },
  })
  const signed = async (now: number) => {
    outbox.now = now
    await outbox.emit()
    const [sent] = await work(outbox, answer)
    const { body = '', headers = {} } = sent ?? {}
    const signing = { id: headers['webhook-id'] ?? '', body, timestamp: now }
    const by = (...secrets: string[]) => signatureHeaders({ ...signing, secrets })['webhook-signature']
    if (headers['webhook-signature'] === by(SECOND, FIRST)) return 'both'
    return headers['webhook-signature'] === by(SECOND) ? 'the new one' : 'others'
  }
  assert.is(await signed(until - 1), 'both')
  assert.is(await signed(until), 'the new one')
})

test.run()
