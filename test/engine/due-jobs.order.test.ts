import { api } from '../../src/api/api.ts'
import { CARDS, newCheckout, newPaymentSession } from '../support/samples.ts'
import { catchDomainError, createSandbox, DAY, type Sandbox, START, typed } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('engine/due-jobs.order')

const HOUR = 3600
/** The time at which every job is due. */
const DUE = START + 60 * DAY

type Terms = Parameters<typeof newCheckout>[1]

/** Completes a checkout session and returns the id of its subscription. */
async function subscribe(sandbox: Sandbox, customer: string, test_card: string | null, terms: Terms) {
  const { id } = await newCheckout(sandbox, terms, { customer })
  const card = test_card === null ? {} : { test_card }
  return (await sandbox.call(api.checkoutSessions.complete, { id, ...card })).subscription ?? ''
}

/** One job: when it is prepared, in seconds before it is due, and the object and type of its event. */
interface Job {
  readonly name: string
  readonly rank: number
  readonly lead: number
  readonly type: string
  /** Prepares the job and returns the id of the object of the event. */
  readonly prepare: (sandbox: Sandbox, customer: string) => Promise<string>
}

/** The jobs, prepared in this order: mostly those first that run last. */
const JOBS: readonly Job[] = [
  {
    name: 'overdue invoice',
    rank: 6,
    lead: 50 * DAY,
    type: 'invoice.overdue',
    prepare: async (sandbox, customer) => {
      const sent = { collection_method: 'send_invoice', days_until_due: 50, interval: 'year' } as const
      const id = await subscribe(sandbox, customer, null, sent)
      return (await sandbox.call(api.subscriptions.retrieve, { id })).latest_invoice ?? ''
    },
  },
  {
    name: 'notice of the end of a trial',
    rank: 6,
    lead: 45 * DAY,
    type: 'subscription.trial_will_end',
    prepare: (sandbox, customer) => subscribe(sandbox, customer, 'visa', { trial_end: DUE + 3 * DAY }),
  },
  {
    name: 'renewal',
    rank: 5,
    lead: 40 * DAY,
    type: 'subscription.renewed',
    prepare: (sandbox, customer) =>
      subscribe(sandbox, customer, 'visa', { interval: 'day', interval_count: 40 }),
  },
  {
    name: 'end of a pause',
    rank: 4,
    lead: 35 * DAY,
    type: 'subscription.updated',
    prepare: async (sandbox, customer) => {
      const id = await subscribe(sandbox, customer, 'visa', { interval: 'year' })
      const pause_collection = { behavior: 'void', resumes_at: DUE } as const
      await sandbox.call(api.subscriptions.update, { id, pause_collection })
      return id
    },
  },
  {
    name: 'retry',
    rank: 3,
    lead: 30 * DAY,
    type: 'invoice.payment_failed',
    prepare: async (sandbox, customer) => {
      const id = await subscribe(sandbox, customer, 'renewal_no_funds', {
        interval: 'day',
        interval_count: 27,
      })
      await sandbox.moveTo(DUE - 3 * DAY)
      return (await sandbox.call(api.subscriptions.retrieve, { id })).latest_invoice ?? ''
    },
  },
  {
    name: 'start of a pending subscription',
    rank: 1,
    lead: 3 * DAY,
    type: 'subscription.started',
    prepare: (sandbox, customer) => subscribe(sandbox, customer, 'visa', { start_date: DUE }),
  },
  {
    name: 'end of a trial',
    rank: 1,
    lead: 2 * DAY,
    type: 'subscription.started',
    prepare: (sandbox, customer) => subscribe(sandbox, customer, 'visa', { trial_end: DUE }),
  },
  {
    name: 'abandoned payment',
    rank: 0,
    lead: DAY,
    type: 'payment.canceled',
    prepare: async (sandbox, customer) => {
      await subscribe(sandbox, customer, 'sca_always', { start_date: DUE + DAY })
      const { data } = await sandbox.call(api.paymentMethods.listOfCustomer, { id: customer })
      const params = { customer, amount: 1000, currency: 'eur', payment_method: data[0]?.id ?? '' }
      const error = await catchDomainError(
        sandbox.call(api.payments.create, { ...params, off_session: false }),
      )
      return error.details.payment?.id ?? ''
    },
  },
  {
    name: 'refund',
    rank: 2,
    lead: HOUR,
    type: 'refund.updated',
    prepare: async (sandbox, customer) => {
      const { id } = await newPaymentSession(sandbox, { customer })
      const session = await sandbox.call(api.paymentSessions.complete, { id, test_card: 'refund_async' })
      return (await sandbox.call(api.refunds.create, { payment: session.payment ?? '' })).id
    },
  },
  {
    name: 'expiry of a session',
    rank: 0,
    lead: HOUR / 2,
    type: 'payment_session.expired',
    prepare: async (sandbox, customer) =>
      (await newPaymentSession(sandbox, { customer, expires_at: DUE })).id,
  },
  {
    name: 'decision of a slow issuer',
    rank: 2,
    lead: 3,
    type: 'payment_session.completed',
    prepare: async (sandbox, customer) => {
      const { id } = await newPaymentSession(sandbox, { customer })
      await sandbox.submit(id, typed(CARDS.slow))
      return id
    },
  },
]

test('jobs of all kinds that are due at the same time run in the order of their ranks', async () => {
  const sandbox = createSandbox()
  const { id: customer } = await sandbox.call(api.customers.create, { email: 'ada@example.com' })
  const jobs = new Map<string, Job>()
  for (const job of JOBS) {
    await sandbox.moveTo(DUE - job.lead)
    jobs.set(`${job.type} ${await job.prepare(sandbox, customer)}`, job)
  }
  const before = await sandbox.store.newestSequence()
  await sandbox.moveTo(DUE)
  const ran = (await sandbox.events())
    .filter(({ sequence }) => sequence > before)
    .flatMap(({ type, data, created }) => {
      const job = jobs.get(`${type} ${data.object.id}`)
      return job === undefined ? [] : [{ name: job.name, rank: job.rank, created }]
    })
  assert.equal(ran.map(({ name }) => name).sort(), JOBS.map(({ name }) => name).sort())
  assert.ok(
    ran.every(({ created }) => created === DUE),
    'a job ran at another time',
  )
  assert.equal(
    ran.map(({ rank }) => rank),
    ran.map(({ rank }) => rank).sort((a, b) => a - b),
  )
})

test.run()
