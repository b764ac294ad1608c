import { createResendAttempt } from '../../src/domain/events/webhook-resends.ts'
import type { DeliveryRequest } from '../../src/webhooks/delivery-request.ts'
import { parseRetrySchedule } from '../../src/webhooks/schedule.ts'
import { createSignatureHeaders } from '../../src/webhooks/sign.ts'
import { assert, suite } from '../support/suite.ts'
import { createResult, deliverDue, FAILED_RESULT, Outbox, openOutbox } from './outbox.ts'

const test = suite('webhooks/worker: resends and secrets')

const URL = 'http://a.test/hook'
const FIRST = `whsec_${'A'.repeat(32)}`
const SECOND = `whsec_${'B'.repeat(32)}`

/** Schedules a manual delivery as the API does. */
async function resend(outbox: Outbox, event: string): Promise<void> {
  const found = await outbox.store.get('events', event)
  const [endpoint] = (await outbox.store.list('webhook_endpoints', { limit: 1 })).data
  if (!found || !endpoint) throw new Error('no event to resend')
  const planned = createResendAttempt(
    { event: found, deliveries: await outbox.deliveries({ event }) },
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
const schedule = parseRetrySchedule('1h,1h')

async function work(outbox: Outbox, send: () => ReturnType<typeof createResult>): Promise<DeliveryRequest[]> {
  const sent: DeliveryRequest[] = []
  const worker = outbox.worker(
    async (request) => {
      sent.push(request)
      return send()
    },
    { schedule },
  )
  await deliverDue(worker)
  return sent
}

test('a resend has the same id and body and a new signature', async () => {
  const { outbox, event } = await openOutbox(URL)
  const [first] = await work(outbox, createResult)
  outbox.now += 60
  await resend(outbox, event?.id ?? '')
  const [second] = await work(outbox, createResult)
  assert.is(second?.headers['webhook-id'], event?.id)
  assert.is(second?.body, first?.body)
  assert.is(second?.headers['webhook-timestamp'], String(START + 60))
  assert.not.equal(second?.headers['webhook-signature'], first?.headers['webhook-signature'])
  assert.equal(await rows(outbox), ['automatic 1 succeeded -', 'manual 1 succeeded -'])
})

test('a failed resend is not retried and does not change the schedule', async () => {
  const { outbox, event } = await openOutbox(URL)
  await work(outbox, () => FAILED_RESULT)
  const retry = outbox.now + 3600
  await resend(outbox, event?.id ?? '')
  await work(outbox, () => FAILED_RESULT)
  assert.equal(await rows(outbox), [
    `automatic 1 failed ${retry - START}`,
    `automatic 2 pending ${retry - START}`,
    'manual 1 failed -',
  ])
  await resend(outbox, event?.id ?? '')
  await work(outbox, () => FAILED_RESULT)
  outbox.now = retry
  await work(outbox, () => FAILED_RESULT)
  assert.equal(
    outbox.attempts.map(({ trigger, attempt }) => `${trigger} ${attempt}`),
    ['automatic 1', 'manual 1', 'manual 2', 'automatic 2'],
  )
})

test('a successful resend ends the retries', async () => {
  const { outbox, event } = await openOutbox(URL)
  await work(outbox, () => FAILED_RESULT)
  await resend(outbox, event?.id ?? '')
  await work(outbox, createResult)
  assert.equal(await rows(outbox), ['automatic 1 failed 3600', 'manual 1 succeeded -'])
  outbox.now += 36_000
  assert.equal(await work(outbox, createResult), [])
})

test('does not plan a second resend while a resend is pending', async () => {
  const { outbox, event } = await openOutbox(URL)
  await work(outbox, createResult)
  await resend(outbox, event?.id ?? '')
  await resend(outbox, event?.id ?? '')
  const waiting = await outbox.store.list('webhook_deliveries', { where: { status: 'pending' }, limit: 9 })
  assert.is(waiting.data.length, 1)
  assert.is((await work(outbox, createResult)).length, 1)
})

test('sends a new event before pending resends', async () => {
  const { outbox, events } = await openOutbox(URL, { count: 20 })
  await work(outbox, createResult)
  for (const { id } of events) await resend(outbox, id)
  outbox.now += 1
  const [fresh] = await outbox.emit()
  const sent = await work(outbox, createResult)
  assert.equal(
    sent.map(({ headers }) => headers['webhook-id']),
    [fresh?.id, ...events.map(({ id }) => id)],
  )
})

test('signs with both secrets until the old secret expires, the new secret first', async () => {
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
    const [sent] = await work(outbox, createResult)
    const { body = '', headers = {} } = sent ?? {}
    const signing = { id: headers['webhook-id'] ?? '', body, timestamp: now }
    const by = (...secrets: string[]) => createSignatureHeaders({ ...signing, secrets })['webhook-signature']
    if (headers['webhook-signature'] === by(SECOND, FIRST)) return 'both'
    return headers['webhook-signature'] === by(SECOND) ? 'the new one' : 'others'
  }
  assert.is(await signed(until - 1), 'both')
  assert.is(await signed(until), 'the new one')
})

test.run()
