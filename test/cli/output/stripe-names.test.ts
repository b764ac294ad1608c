import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import { createErrorReport } from '../../../src/cli/output/error-report.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/stripe-names')

const ITEM = "--item 'Monthly rent:100000:20:rent'"

const HINTS: readonly (readonly [unknown: string, flags: readonly string[], hint: string])[] = [
  [
    '--price, --mode',
    ['item'],
    `For --price, use ${ITEM}. For --mode, use paycli checkout create, payment-sessions create or card-sessions create.`,
  ],
  ['--line-items', ['item'], `For --line-items, use ${ITEM}.`],
  ['--success-url', ['return-url'], 'For --success-url, use --return-url https://example.com/return.'],
  ['--source', ['payment-method'], 'For --source, use --payment-method pm_4bT9….'],
  ['--source', ['email'], 'For --source, use paycli cards update <customer>.'],
  ['--payment_intent', ['payment'], 'For --payment-intent, use --payment py_4bT9….'],
  ['--confirm', [], 'Omit --confirm.'],
  ['--price', ['amount'], 'See paycli x --help'],
  ['--amout', ['amount'], 'Did you mean --amount?'],
  ['--amout=x-amount', ['amount'], 'Did you mean --amount?'],
  ['--amount', ['item'], `For --amount, use ${ITEM}. For one payment, use paycli payment-sessions create.`],
  ['--item', ['amount'], 'For --item, use --amount 1250. For a subscription, use paycli checkout create.'],
  ['--livemode', ['port'], 'Omit --livemode.'],
  ['--api-base', ['port'], 'Omit --api-base: this command does not take the address or key of a server.'],
  [
    '--quantity',
    ['item', 'metadata'],
    "For --quantity, use --item 'Seat:1500:::3', or --item 'si_4bT9…:quantity=3' to change an item.",
  ],
  [
    '--at-period-end',
    [],
    'For --at-period-end, use paycli subscriptions update <id> --cancel-at-period-end.',
  ],
  ['--type', ['events', 'filter'], 'For --type, use --filter type=invoice.paid.'],
  ['--type', ['events', 'operation'], 'See paycli x --help'],
  ['--format', ['json'], 'For --format, use --json or --field. On a terminal, the output is a table.'],
  ['--payload', ['body'], 'For --payload, use --body event.json.'],
  ['--CONSTRUCTOR', ['amount'], 'See paycli x --help'],
]

for (const [unknown, flags, hint] of HINTS) {
  test(`returns the hint for ${unknown} of a command with ${flags.map((one) => `--${one}`).join(' ') || 'no flags'}`, () => {
    const error = new UsageError('flag_unknown', `Unknown flag ${unknown}.`)
    assert.is(createErrorReport(error, { command: 'paycli x', flags }).hint, hint)
  })
}

test.run()
