import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { createStyle } from '../../../src/cli/output/style.ts'
import { readCustomerLedgers } from '../../../src/cli/simulate/customer-ledgers.ts'
import {
  groupDifferences,
  parseAppLedger,
  type ReconciliationResult,
  reconcile,
} from '../../../src/cli/simulate/reconcile.ts'
import { describeDifferenceGroup, formatReconciliation } from '../../../src/cli/simulate/reconcile-view.ts'
import { closeServer, listenLocally } from '../../../src/cli/webhook-tools/local-server.ts'
import { openDaemon } from '../../support/daemon.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'
import { BUGS, type Bug, createBooks } from './sample-books.ts'
import { simulate } from './simulated.ts'

const test = suite('cli/simulate/reconcile', {}, 120_000)

const CUSTOMERS = 80
const MONTHS = 3
let books: Awaited<ReturnType<typeof readCustomerLedgers>>
/** The bodies of all deliveries, in the order in which they were received. */
const deliveries: string[] = []

test.before(async () => {
  const daemon = await openDaemon({ db: null })
  const server = createServer(async (request, response) => {
    deliveries.push(await text(request))
    response.end()
  })
  const url = `http://127.0.0.1:${await listenLocally(server)}`
  const endpoint = await daemon.call(webhookEndpoints.create, { url, enabled_events: ['*'] })
  const { clock, customers } = await simulate(daemon.client, {
    endpoint: endpoint.id,
    customers: CUSTOMERS,
    months: MONTHS,
  })
  const duplicated = customers.filter(({ hasDuplicate }) => hasDuplicate).map(({ id }) => id)
  books = await readCustomerLedgers(daemon.client, clock, duplicated)
  await closeServer(server)
  await daemon.stop()
})

function reconcileSample(bug: Bug | ''): ReconciliationResult {
  const sample = createBooks(bug)
  for (const body of deliveries) sample.book(JSON.parse(body))
  return reconcile(books, parseAppLedger(sample.print()), MONTHS)
}

test('finds no difference in correct accounting records', () => {
  const { differences, differing, customers, unknown } = reconcileSample('')
  assert.equal(differences.slice(0, 5), [])
  assert.equal([differing, customers, unknown], [0, CUSTOMERS, 0])
})

/** The columns in which each bug causes differences, and the feature that names the bug. */
const NAMED: Readonly<Record<Bug, readonly [columns: string, feature: string]>> = {
  rounding: ['tax', 'an invoice with several taxed lines'],
  'partial-refund': ['refunded', 'a partial refund'],
  'proration-sign': ['tax', 'a proration'],
  'time-zone': ['paid', 'a payment or refund in the first 6 hours of a month in UTC'],
  'double-delivery': ['paid', 'a webhook that was delivered twice'],
}

for (const bug of BUGS) {
  test(`names the bug '${bug}' in the summary`, () => {
    const { groups, differing } = reconcileSample(bug)
    const [columns, feature] = NAMED[bug]
    const group = groups.find(({ columns: found }) => found.join().includes(columns))
    assert.ok(group !== undefined && differing > 0, JSON.stringify(groups))
    assert.match(
      describeDifferenceGroup(group, String(CUSTOMERS)),
      ` customers differ in ${group.columns.join(', ')}: all with`,
    )
    assert.ok(group.features.includes(feature), JSON.stringify(groups))
  })
}

test('lists the first differences with the object that explains them', () => {
  const result = reconcileSample('partial-refund')
  const view = { style: createStyle(false), width: 80 }
  const lines = formatReconciliation(result, view).split('\n')
  assert.match(lines[1] ?? '', /^- \d+ of 80 customers differ in refunded: all with a partial refund\./)
  assert.match(
    lines.find((line) => line.startsWith('customer')) ?? '',
    /^customer +month +value +service +app +timeline of$/,
  )
  assert.equal(
    lines.filter((line) => line.length > 80),
    [],
  )
  for (const { object, expected, actual } of result.differences) {
    assert.match(object ?? '', /^py_/)
    assert.ok(actual > expected)
  }
})

/** Returns the summary of differences in `paid`; each customer has features and differs or not. */
function summaryOf(
  rows: readonly (readonly [count: number, features: string, isDiffering: boolean])[],
): string {
  const customers = rows.flatMap(([count, features, isDiffering]) =>
    Array.from({ length: count }, () => ({ features: new Set(features.split(' ')), isDiffering })),
  )
  const all = new Map(customers.map(({ features }, index) => [`cus_${index}`, { entries: [], features }]))
  const differences = customers.flatMap(({ isDiffering }, index) =>
    isDiffering
      ? [
          {
            ...{ customer: `cus_${index}`, month: '2026-01', column: 'paid' as const },
            ...{ expected: 1, actual: 2, object: null },
          },
        ]
      : [],
  )
  return groupDifferences(all, differences)
    .map((group) => describeDifferenceGroup(group, String(all.size)))
    .join('\n')
}

for (const [title, rows, expected] of [
  [
    'the feature that all differing and the fewest other customers have',
    [
      [3, 'refund month', true],
      [1, 'refund month', false],
      [9, 'month', false],
    ],
    '3 of 13 customers differ in paid: all with refund. One other customer has this too.',
  ],
  [
    'two features when the second excludes at least half of the other customers',
    [
      [3, 'refund jpy', true],
      [4, 'refund eur', false],
      [9, 'jpy', false],
    ],
    '3 of 16 customers differ in paid: all with refund and jpy. No other customer has this.',
  ],
  [
    'a feature of most of them, when no feature is common to all',
    [
      [4, 'refund', true],
      [1, 'trial', true],
      [9, 'trial', false],
    ],
    '4 of them with refund. No other customer has this.',
  ],
  [
    'no feature, when every customer has it',
    [
      [2, 'month', true],
      [9, 'month', false],
    ],
    '2 of 11 customers differ in paid, without a common property.',
  ],
] as const) {
  test(`the summary names ${title}`, () => {
    assert.match(summaryOf(rows), expected)
  })
}

test('a missing row counts as 0, and a subset of the columns is compared', () => {
  const { columns, differences } = reconcile(books, parseAppLedger('customer,month,paid\n'), MONTHS)
  assert.equal(columns, ['paid'])
  assert.ok(differences.length > 0)
  for (const { actual, expected } of differences) assert.ok(actual === 0 && expected > 0)
})

test('accepts quotation marks, a byte order mark, line ends of Windows, and access as printed by psql', () => {
  const { rows } = parseAppLedger(
    '\u{feff}"customer","month","paid","access"\r\n"cus_1","2026-01","5","t"\r\n',
  )
  assert.equal(rows.get('cus_1')?.get('2026-01'), { paid: 5, access: 1 })
})

for (const [output, message] of [
  ['', 'it is empty, expected a header'],
  ['cus_1,2026-01,5', "the column 'cus_1' is unknown"],
  ['customer,paid', "the column 'month' is missing in the header"],
  ['customer,month', 'expected one of the columns paid, refunded, credit, tax, access'],
  ['customer,customer,month', "the header has the column 'customer' twice"],
  ['customer,month,paid,paid\ncus_1,2026-01,5,6', "the header has the column 'paid' twice"],
  ['x'.repeat(1000), `the column '${'x'.repeat(40)}…' is unknown`],
  ['{"customer":"cus_1"}', 'is unknown'],
  ['customer,month,paid\ncus_1,2026-13,5', "month is '2026-13', expected YYYY-MM"],
  ['customer,month,paid\ncus_1,2026-01', 'not valid in line 2: it has 2 values, expected 3'],
  ['customer,month,paid\ncus_1,January,5', "month is 'January', expected YYYY-MM"],
  ['customer,month,paid\ncus_1,2026-01,12.50', "paid is '12.50', expected an integer in minor units"],
  ['customer,month,access\ncus_1,2026-01,maybe', "access is 'maybe', expected true or false"],
  ['customer,month,paid\nc,2026-01,1\nc,2026-01,1', "customer 'c' has two rows for 2026-01"],
] as const) {
  test(`rejects the output '${output.slice(0, 60).replaceAll('\n', '\\n')}'`, () => {
    const { message: actual, hint } = usageErrorFrom(() => parseAppLedger(output))
    assert.match(actual, message)
    assert.match(hint ?? '', 'Print CSV whose first line is a header')
  })
}

test.run()
