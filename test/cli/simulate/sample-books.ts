// A sample application that keeps books of the events of its webhooks, and prints them as CSV for
// `paycli simulate --reconcile`.

/** The bookkeeping bugs of the sample application. */
export const BUGS = ['rounding', 'partial-refund', 'proration-sign', 'time-zone', 'double-delivery'] as const

/** A bookkeeping bug of the sample application. */
export type Bug = (typeof BUGS)[number]

/** An object of an event. */
// biome-ignore lint/suspicious/noExplicitAny: a handler in JavaScript has no types.
type EventObject = any

/** The month of a customer, in minor units. */
interface Row {
  paid: number
  refunded: number
  tax: number
  credit: number
  access: boolean
}

/** Creates empty books. */
export function createBooks(bug: Bug | '') {
  const seen = new Set<string>()
  const customers = new Map<string, Map<string, Row>>()
  const payments = new Map<string, number>()
  let last = ''

  /** Returns the row of a month, which begins with the credit and access of the month before. */
  function rowOf(customer: string, month: string): Row {
    const rows = customers.get(customer) ?? new Map<string, Row>()
    customers.set(customer, rows)
    const before = [...rows].toSorted().findLast(([earlier]) => earlier < month)?.[1]
    const row = rows.get(month) ?? {
      paid: 0,
      refunded: 0,
      tax: 0,
      credit: 0,
      access: false,
      ...carried(before),
    }
    rows.set(month, row)
    return row
  }

  return {
    /** Books an event once, although its delivery may be repeated. */
    book({
      id,
      type,
      created,
      data,
    }: {
      id: string
      type: string
      created: number
      data: EventObject
    }): void {
      if (bug !== 'double-delivery' && seen.has(id)) return
      seen.add(id)
      const object = data.object
      const month = monthOf(bug, created)
      if (month > last) last = month
      const customer = type.startsWith('customer.') ? object.id : object.customer
      if (typeof customer !== 'string') return
      const row = rowOf(customer, month)
      if (type === 'payment.succeeded') {
        row.paid += object.amount_captured
        payments.set(object.id, object.amount_captured)
      }
      if (type === 'refund.created')
        row.refunded += bug === 'partial-refund' ? (payments.get(object.payment) ?? 0) : object.amount
      if (type === 'invoice.paid') row.tax += taxOf(bug, object)
      if (type === 'customer.updated')
        row.credit = -Object.values<number>(object.balances).reduce((sum, balance) => sum + balance, 0)
      if (type.startsWith('subscription.'))
        row.access = ['trialing', 'active', 'past_due'].includes(object.status)
    },
    /** Returns the books as CSV, with a row for each month of each customer up to the last event. */
    print(): string {
      const lines = [...customers].flatMap(([customer, rows]) => {
        const [first = last] = [...rows.keys()].sort()
        return monthsBetween(first, last).map((month) => {
          const { paid, refunded, credit, tax, access } = rowOf(customer, month)
          return [customer, month, paid, refunded, credit, tax, access].join()
        })
      })
      return ['customer,month,paid,refunded,credit,tax,access', ...lines, ''].join('\n')
    },
  }
}

function monthOf(bug: Bug | '', seconds: number): string {
  const timeZone = bug === 'time-zone' ? 'America/New_York' : 'UTC'
  return new Date(seconds * 1000).toLocaleDateString('sv', { timeZone }).slice(0, 7)
}

function taxOf(bug: Bug | '', { lines, tax }: EventObject): number {
  const sum = (amountOf: (line: EventObject) => number) =>
    lines.reduce((all: number, line: EventObject) => all + amountOf(line), 0)
  if (bug === 'proration-sign')
    return sum(({ proration, tax_amount }) => (proration ? Math.abs(tax_amount) : tax_amount))
  if (bug !== 'rounding') return tax
  return Math.round(
    sum(({ amount, discount_amount, tax_percent }) => ((amount - discount_amount) * tax_percent) / 100),
  )
}

function carried(row: Row | undefined) {
  return row === undefined ? {} : { credit: row.credit, access: row.access }
}

function monthsBetween(first: string, last: string): string[] {
  const months = [first]
  for (let at = new Date(`${first}-01`); (months.at(-1) ?? last) < last; ) {
    at = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))
    months.push(at.toISOString().slice(0, 7))
  }
  return months
}
