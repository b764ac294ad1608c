import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import { parseForwarding } from '../../../src/cli/listen/forward-flags.ts'
import { enabledEventsOf, selectEvents } from '../../../src/cli/request/event-selection.ts'
import { EVENT_TYPES } from '../../../src/domain/event-types.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli: events and where they are forwarded')

const refused = (work: () => unknown): UsageError => {
  try {
    work()
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
  throw new Error('expected a usage error')
}

const select = (...globs: string[]) => selectEvents(globs, 'events')
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
  test(`${globs.join(' ') || 'nothing'} chooses what ${pattern} matches`, () => {
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
  test(`'${glob}' matches no event and is refused by name`, () => {
    const { code, message, param } = refused(() => select(glob))
    assert.equal([code, param], ['event_type_unknown', 'events'])
    assert.match(message, `'${glob}'`)
  })
}

test('a choice of nothing is refused', () => {
  assert.match(refused(() => select('invoice.paid', '!invoice.*')).message, 'leaves no event')
})

test('all events are a star, so that later types are among them', () => {
  assert.equal(enabledEventsOf([], 'events'), ['*'])
  assert.equal(enabledEventsOf(['*'], 'events'), ['*'])
  assert.equal(enabledEventsOf(['refund.*'], 'events'), types(/^refund\./))
})

const [ONE, TWO] = ['http://127.0.0.1:3000/hook', 'http://127.0.0.1:3001/']

test('each target gets what the events choose, and each route its own', () => {
  assert.equal(
    parseForwarding({
      targets: ['3000/hook', '3002'],
      events: ['refund.*'],
      routes: ['customer.created,customer.deleted=3001'],
    }),
    [
      { url: ONE, events: types(/^refund\./) },
      { url: 'http://127.0.0.1:3002/', events: types(/^refund\./) },
      { url: TWO, events: ['customer.created', 'customer.deleted'] },
    ],
  )
  assert.equal(parseForwarding({ targets: [], events: [], routes: [] }), [])
})

test('a URL that is named more than once gets all that any of them says', () => {
  assert.equal(
    parseForwarding({
      targets: [],
      events: [],
      routes: [
        'invoice.paid=3001',
        'refund.created,invoice.paid=3001',
        'customer.*=http://127.0.0.1:3000/hook',
      ],
    }),
    [
      { url: TWO, events: ['invoice.paid', 'refund.created'] },
      { url: ONE, events: types(/^customer\./) },
    ],
  )
  assert.equal(parseForwarding({ targets: ['3001'], events: [], routes: ['refund.*=3001'] }), [
    { url: TWO, events: ['*'] },
  ])
})

test('a URL in a route may hold an equals sign', () => {
  const [route] = parseForwarding({
    targets: [],
    events: [],
    routes: ['refund.*=http://127.0.0.1:3000/?a=b'],
  })
  assert.is(route?.url, 'http://127.0.0.1:3000/?a=b')
})

for (const text of ['invoice.*', '=3000', 'invoice.*=', 'invoice.*=ftp://x', 'invoice.sold=3000']) {
  test(`'${text}' is no route`, () => {
    assert.is(refused(() => parseForwarding({ targets: [], events: [], routes: [text] })).param, 'route')
  })
}

test('events without a target say what is missing', () => {
  const { code, param } = refused(() => parseForwarding({ targets: [], events: ['refund.*'], routes: [] }))
  assert.equal([code, param], ['flag_missing', 'forward-to'])
})

test.run()
