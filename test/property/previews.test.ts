import fc from 'fast-check'
import { api } from '../../src/api/api.ts'
import type { Invoice } from '../../src/domain/billing/invoices.ts'
import { DomainError } from '../../src/domain/core/domain-error.ts'
import type { InvoicePreview } from '../../src/domain/reports/invoice-preview.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { invoicesOf, subscribe } from '../support/billing.ts'
import { runCount } from '../support/property.ts'
import { changeParams, type RandomChange, randomChanges } from '../support/random-changes.ts'
import { createSandbox, type Sandbox } from '../support/sandbox.ts'
import { releaseStoresAfterEachCase } from '../support/store-per-case.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('property/previews', {}, 3_600_000)

releaseStoresAfterEachCase()

/** Returns an invoice in the form of its preview, which contains only items from before the change. */
function toPreview(invoice: Invoice, preview: InvoicePreview, items: readonly string[]): object {
  const { lines, ...fields } = preview
  const names = Object.keys(fields).filter((name) => name in invoice && name !== 'object')
  return {
    ...fields,
    ...Object.fromEntries(names.map((name) => [name, invoice[name as keyof Invoice]])),
    invoice_date: invoice.created,
    lines: invoice.lines.map(({ id: _id, invoice_item: _item, ...line }) => ({
      ...line,
      subscription_item: items.find((item) => item === line.subscription_item) ?? null,
    })),
  }
}

/** Runs a call and returns its result, or null if it fails. */
async function allowed<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof DomainError) return null
    throw error
  }
}

/** Previews and applies a change, and compares the preview with the invoice that follows. */
async function compare(sandbox: Sandbox, id: string, change: RandomChange): Promise<void> {
  const subscription = await sandbox.call(api.subscriptions.retrieve, { id })
  const { payment_behavior: _, ...params } = changeParams(subscription, change, sandbox.now())
  const before = (await invoicesOf(sandbox, id)).length
  const state = JSON.stringify(await sandbox.snapshot())
  const preview = await allowed(sandbox.call(api.subscriptions.preview, { id, ...params }))
  assert.is(JSON.stringify(await sandbox.snapshot()), state, 'a preview changes nothing')
  if (preview === null) return
  const { proration_date } = preview
  await sandbox.call(api.subscriptions.update, { id, ...params, proration_date })
  if (preview.invoice_date > sandbox.now()) await sandbox.moveTo(preview.invoice_date)
  const invoice = (await invoicesOf(sandbox, id))[before]
  assert.ok(invoice, 'the previewed invoice exists')
  const items = subscription.items.map((item) => item.id)
  assert.equal(toPreview(invoice, preview, items), preview)
}

for (const currency of ['eur', 'jpy', 'kwd']) {
  test(`a preview is the invoice that follows, line for line (${currency})`, async () => {
    const item = { description: 'Seat', price_data: { amount: 1000, tax_percent: 19 }, quantity: 2 }
    const steps = fc.array(fc.record({ seconds: fc.nat({ max: 20 * 86_400 }), change: randomChanges }), {
      minLength: 1,
      maxLength: 4,
    })
    const property = fc.asyncProperty(
      steps,
      fc.constantFrom('day', 'week', 'month', 'year'),
      async (script, interval) => {
        const sandbox = createSandbox({ dunning: { retry_days: [3], on_exhausted: 'past_due' } })
        const { id } = await subscribe(sandbox, {
          currency,
          interval,
          interval_count: 2,
          items: [item, item],
        })
        for (const { seconds, change } of script) {
          await sandbox.advance(seconds)
          await compare(sandbox, id, change)
        }
        assert.equal(checkInvariants(await sandbox.snapshot()), [])
      },
    )
    await fc.assert(property, runCount(40))
  })
}

test.run()
