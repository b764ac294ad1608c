import { api } from '../../src/api/api.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { invoicesOf, subscribe } from '../support/billing.ts'
import { advanceClockTo, newCustomerOnClock } from '../support/clocks.ts'
import { createSandbox, DAY, type Sandbox, START } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('scenarios/immediate-deadlines')

const END_OF_DAY = Date.UTC(2024, 0, 15, 23, 59, 59) / 1000

/** The time source of the customer: a test clock or real time. */
const TIMES: Readonly<Record<string, (sandbox: Sandbox) => Promise<TimeLine>>> = {
  'in real time': async (sandbox) => ({ moveTo: (unix) => sandbox.moveTo(unix) }),
  'on a test clock': async (sandbox) => {
    const { clock: id, customer } = await newCustomerOnClock(sandbox)
    return { customer, moveTo: (unix) => advanceClockTo(sandbox, id, unix) }
  },
}

interface TimeLine {
  readonly customer?: string
  readonly moveTo: (unix: number) => Promise<unknown>
}

for (const [when, timeLine] of Object.entries(TIMES)) {
  test(`an invoice due in 0 days becomes past due at the end of the day, ${when}`, async () => {
    const sandbox = createSandbox()
    const { moveTo, ...owner } = await timeLine(sandbox)
    const sent = { collection_method: 'send_invoice', days_until_due: 0 } as const
    const { id } = await subscribe(sandbox, { ...owner, ...sent })
    const standing = async () => {
      const { status } = await sandbox.call(api.subscriptions.retrieve, { id })
      const overdue = (await sandbox.events()).filter(({ type }) => type === 'invoice.overdue').length
      return `${status}, ${overdue} overdue`
    }
    assert.is((await invoicesOf(sandbox, id))[0]?.due_date, END_OF_DAY)
    assert.is(await standing(), 'active, 0 overdue', 'at completion')
    await moveTo(END_OF_DAY - 1)
    assert.is(await standing(), 'active, 0 overdue')
    await moveTo(END_OF_DAY)
    assert.is(await standing(), 'past_due, 1 overdue')
    assert.equal(checkInvariants(await sandbox.snapshot()), [])
  })

  test(`an invoice finalized in the last second of a day is due at the end of the next day, ${when}`, async () => {
    const sandbox = createSandbox()
    const { moveTo, ...owner } = await timeLine(sandbox)
    await moveTo(END_OF_DAY)
    const sent = { collection_method: 'send_invoice', days_until_due: 0 } as const
    const { id, status } = await subscribe(sandbox, { ...owner, ...sent })
    assert.equal([status, (await invoicesOf(sandbox, id))[0]?.due_date], ['active', END_OF_DAY + DAY])
  })

  test(`a pending subscription with cancel_at_period_end charges nothing, ${when}`, async () => {
    const sandbox = createSandbox()
    const { moveTo, ...owner } = await timeLine(sandbox)
    const { id } = await subscribe(sandbox, { ...owner, start_date: START + 3 * DAY })
    await sandbox.call(api.subscriptions.update, { id, cancel_at_period_end: true })
    await moveTo(START + 3 * DAY - 1)
    assert.is((await sandbox.call(api.subscriptions.retrieve, { id })).status, 'pending')
    await moveTo(START + 5 * DAY)
    const ended = await sandbox.call(api.subscriptions.retrieve, { id })
    assert.equal(
      [ended.status, ended.cancellation_reason, ended.canceled_at, ended.ended_at, ended.period_index],
      ['canceled', 'requested', START, START + 3 * DAY, -1],
    )
    assert.equal(await invoicesOf(sandbox, id), [])
    assert.equal((await sandbox.call(api.payments.list, {})).data, [])
    assert.equal(checkInvariants(await sandbox.snapshot()), [])
  })
}

test.run()
