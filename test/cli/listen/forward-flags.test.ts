import { parseForwardRules } from '../../../src/cli/listen/forward-flags.ts'
import { parseEnabledEvents, selectEventTypes } from '../../../src/cli/request/event-selection.ts'
import { EVENT_TYPES } from '../../../src/domain/core/event-types.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'

const test = suite('cli/forward-flags')

const select = (...globs: string[]) => selectEventTypes(globs, 'events')
const types = (pattern: RegExp) => EVENT_TYPES.filter((type) => pattern.test(type))

for (const [globs, pattern] of [
  [[], /./],
  [['*'], /./],
  [['invoice.paid'], /^invoice\.paid$/],
  [['invoice.*'], /^invoice\./],
  [['*.completed'], /\.completed$/],
  [['*session.*'], /_session\./],
  [['invoice.*', 'refund.*'], /^(?:invoice|refund)\./],
  [['!customer.*'], /^(?!customer\.)/],
  [['invoice.*', '!invoice.updated'], /^invoice\.(?!updated)/],
  [['!invoice.updated', 'invoice.*'], /^invoice\.(?!updated)/],
] as const) {
  test(`selects the event types that match ${pattern} for ${globs.join(' ') || 'no glob'}`, () => {
    assert.equal(select(...globs), types(pattern))
  })
}

for (const glob of [
  'invoice.sold',
  'checkout.session.completed',
  'invoice',
  '',
  '!',
  'Invoice.*',
  '(a+)+$',
  '*j*',
]) {
  test(`throws for the glob '${glob}', which matches no event type`, () => {
    const { code, message, param } = usageErrorFrom(() => select(glob))
    assert.equal([code, param], ['event_type_unknown', 'events'])
    assert.match(message, `'${glob}'`)
  })
}

test('suggests a similar event type', () => {
  assert.is(usageErrorFrom(() => select('invoice.payd')).hint, 'Did you mean invoice.paid?')
  assert.match(usageErrorFrom(() => select('invoice')).hint ?? '', 'paycli trigger --list')
})

for (const [stripe, own] of [
  ['payment_intent.succeeded', 'payment.succeeded'],
  ['payment_intent.payment_failed', 'payment.failed'],
  ['payment_intent.suceeded', 'payment.succeeded'],
  ['payment_intent.*', 'payment.*'],
  ['charge.refunded', 'payment.refunded'],
  ['charge.refund.updated', 'refund.updated'],
  ['charge.dispute.funds_withdrawn', 'dispute.funds_withdrawn'],
  ['checkout.session.completed', 'checkout_session.completed'],
  ['customer.subscription.deleted', 'subscription.canceled'],
  ['customer.subscription.trial_will_end', 'subscription.trial_will_end'],
  ['invoice.payment_succeeded', 'invoice.paid'],
  ['invoiceitem.created', 'invoice_item.created'],
  ['setup_intent.succeeded', 'card_session.completed'],
  ['test_helpers.test_clock.ready', 'test_clock.ready'],
] as const) {
  test(`suggests ${own} for ${stripe} of Stripe`, () => {
    assert.is(usageErrorFrom(() => select(stripe)).hint, `Did you mean ${own}?`)
  })
}

test('throws when the globs exclude every event type', () => {
  assert.match(
    usageErrorFrom(() => select('invoice.paid', '!invoice.*')).message,
    'excludes every event type',
  )
})

test('returns * for all events, so that future event types are included', () => {
  assert.equal(parseEnabledEvents([], 'events'), ['*'])
  assert.equal(parseEnabledEvents(['*'], 'events'), ['*'])
  assert.equal(parseEnabledEvents(['refund.*'], 'events'), types(/^refund\./))
})

const [ONE, TWO] = ['http://localhost:3000/hook', 'http://localhost:3001/']

test('forwards the --events selection to each target, and the events of a route only to its own URL', () => {
  assert.equal(
    parseForwardRules(['3000/hook', '3002'], ['refund.*'], ['customer.created,customer.deleted=3001']),
    [
      { url: ONE, events: types(/^refund\./) },
      { url: 'http://localhost:3002/', events: types(/^refund\./) },
      { url: TWO, events: ['customer.created', 'customer.deleted'] },
    ],
  )
  assert.equal(parseForwardRules([], [], []), [])
})

test('merges the events of routes to the same URL', () => {
  assert.equal(
    parseForwardRules(
      [],
      [],
      ['invoice.paid=3001', 'refund.created,invoice.paid=3001', 'customer.*=http://localhost:3000/hook'],
    ),
    [
      { url: TWO, events: ['invoice.paid', 'refund.created'] },
      { url: ONE, events: types(/^customer\./) },
    ],
  )
  assert.equal(parseForwardRules(['3001'], [], ['refund.*=3001']), [{ url: TWO, events: ['*'] }])
})

test('accepts an equals sign in the URL of a route', () => {
  const [route] = parseForwardRules([], [], ['refund.*=http://127.0.0.1:3000/?a=b'])
  assert.is(route?.url, 'http://127.0.0.1:3000/?a=b')
})

for (const text of ['invoice.*', '=3000', 'invoice.*=', 'invoice.*=ftp://x', 'invoice.sold=3000']) {
  test(`throws a usage error for the route '${text}'`, () => {
    assert.is(usageErrorFrom(() => parseForwardRules([], [], [text])).param, 'route')
  })
}

test('throws for --events without --forward-to', () => {
  const { code, param } = usageErrorFrom(() => parseForwardRules([], ['refund.*'], []))
  assert.equal([code, param], ['flag_missing', 'forward-to'])
})

test.run()
