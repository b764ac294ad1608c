import { frameOf } from '../../src/tui/view.ts'
import { assert, suite } from '../support/suite.ts'
import { BROKEN, deliveryOf, eventOf, HOOK, SIZE, type Staged, stage, typed } from './scenes.ts'

const test = suite('tui/frame')

const linesOf = ({ direction }: Staged, size = SIZE) =>
  frameOf(direction.scene(), size).map((line) =>
    line
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  )
const textOf = (staged: Staged) => linesOf(staged).join('\n')

function three(): Staged {
  const staged = stage()
  const { record } = staged.direction
  record({ type: 'event', event: eventOf(1) })
  record(deliveryOf(1))
  record({ type: 'event', event: eventOf(2, { type: 'invoice.paid', object: { id: 'in_1' } }) })
  record(deliveryOf(2, BROKEN))
  const object = { id: 'cus_1', email: 'ada@example.org', name: 'Ada' }
  record({ type: 'event', event: eventOf(3, { type: 'customer.updated', object, before: { name: null } }) })
  return staged
}

test('it is whole before the first event', () => {
  const lines = linesOf(stage())
  assert.is(lines.length, SIZE.rows)
  assert.is(lines[0], 'paycli listen  ● ready  http://127.0.0.1:4100')
  assert.is(lines[1], '○ http://localhost:3000/hook')
  assert.match(lines.join('\n'), /No events yet[\s\S]*t {3}causes one/)
})

test('each event is a row with what came of it, and the newest is marked', () => {
  const lines = linesOf(three())
  assert.equal(lines.slice(2, 7), [
    '3 events  1 failed',
    '─'.repeat(80),
    '  12:05:09  customer.created                  evt_1          200 23 ms #1',
    '  12:05:09  invoice.paid                      evt_2          500 23 ms #1',
    '› 12:05:09  customer.updated                  evt_3           ·',
  ])
})

test('the state of the connection is always there, with its reason', () => {
  for (const [state, says] of [
    ['connecting', /◌ connecting/],
    ['retrying', /◌ retrying .*No daemon/],
    ['down', /✗ down .*No daemon/],
  ] as const) {
    const staged = three()
    staged.direction.record({ type: 'state', state, reason: 'No daemon.', targets: [] })
    staged.type('enter')
    assert.match(linesOf(staged)[0] ?? '', says)
  }
})

test('a target that gets nothing any more is told in place of the good connection, with what helps', () => {
  for (const status of ['disabled', 'deleted', 'taken'] as const) {
    const staged = three()
    const reason = `Do something with ${status}.`
    staged.direction.record({ type: 'state', state: 'ready', reason, targets: [{ ...HOOK, status }] })
    const lines = linesOf(staged)
    assert.match(lines[0] ?? '', new RegExp(`✗ target ${status}`))
    assert.is(lines[1], `✗ http://localhost:3000/hook (${status})`)
    assert.ok(lines.join('\n').includes(reason))
  }
})

test('the secret is masked until it is asked for', () => {
  const staged = stage()
  staged.direction.tellSecret('whsec_abc')
  assert.not.match(textOf(staged), /whsec_abc/)
  staged.type({ text: 'S' })
  assert.match(textOf(staged), /whsec_abc/)
})

test('the tabs of a detail show payload, headers, response, attempts and what changed', () => {
  const staged = three()
  staged.type('up', 'up', 'enter')
  assert.match(
    textOf(staged),
    /customer\.created {2}payload headers response attempts diff\n\{\n {2}"id": "evt_1"/,
  )
  staged.type('tab')
  assert.match(textOf(staged), /webhook-id: evt_1/)
  staged.type('tab')
  assert.match(textOf(staged), /200 http:\/\/localhost:3000\/hook\nthanks/)
  staged.type('tab')
  assert.match(textOf(staged), /attempt 1 {3}succeeded {2}200 {9}23 ms/)
  staged.type('tab')
  assert.match(textOf(staged), /\+ id: "cus_1"\n\+ email: "ada@example\.com"/)
})

test('the attempts are those the service lists, asked for again when there is another', async () => {
  let asked = 0
  const listed = { ...deliveryOf(1), status: 'pending', http_status: null, duration_ms: null }
  const staged = stage({
    async attempts() {
      asked += 1
      return [listed] as never
    },
  })
  staged.direction.record({ type: 'event', event: eventOf(1) })
  staged.type('enter', 'tab', 'tab', 'tab')
  await Promise.resolve()
  await Promise.resolve()
  assert.match(textOf(staged), /attempt 1 {3}pending/)
  staged.direction.record(deliveryOf(1))
  assert.is(asked, 2)
})

test('the diff is against the previous event of the same object', () => {
  const staged = three()
  staged.type('enter', 'left')
  assert.match(textOf(staged), /- email: "ada@example\.com"\n\+ email: "ada@example\.org"\n\+ name: "Ada"\n/)
})

test('the diff of what came into being begins with its first field', () => {
  const staged = stage()
  staged.direction.record({ type: 'event', event: eventOf(1) })
  staged.type('enter', 'left')
  assert.is(linesOf(staged)[5], '+ id: "cus_1"')
})

test('the keys that fit are there whole, those of help and quitting first', () => {
  for (const [columns, keys] of [
    [80, '? help  q quit  Enter detail  r resend  R failed  / search  t trigger  e type'],
    [60, '? help  q quit  Enter detail  r resend  R failed  / search'],
    [20, '? help  q quit'],
  ] as const) {
    assert.is(linesOf(three(), { columns, rows: 20 }).at(-1), keys)
  }
  const staged = three()
  staged.type('enter')
  assert.match(linesOf(staged, { columns: 60, rows: 20 }).at(-1) ?? '', /^\? help {2}q quit {2}Esc back/)
})

test('at 60×20 the help is whole', () => {
  const staged = stage()
  staged.type({ text: '?' })
  const lines = linesOf(staged, { columns: 60, rows: 20 })
  assert.ok(lines.some((line) => /^ {2}q +quit$/.test(line)))
  assert.ok(lines.every((line) => line.length <= 60))
})

test('a long note is wrapped between words, and takes its rows from the list', () => {
  const message = `${'It did not happen. '.repeat(6)}Start one: paycli serve`
  const staged = three()
  staged.direction.record({ type: 'state', state: 'down', reason: message, targets: [] })
  const lines = linesOf(staged, { columns: 60, rows: 20 })
  assert.is(lines.length, 20)
  assert.is(lines.slice(-4, -1).join(' '), message)
  assert.ok(lines.slice(1).every((line) => line.length <= 60))
  assert.match(linesOf(staged, { columns: 60, rows: 10 }).at(-2) ?? '', /…$/)
  staged.direction.record({ type: 'state', state: 'ready', reason: null, targets: [] })
  assert.is(linesOf(staged).at(-2), '')
})

test('filters leave out, and say so', () => {
  const staged = three()
  staged.type({ text: 'f' })
  assert.match(textOf(staged), /failed only\n─+\n› 12:05:09 {2}invoice\.paid/)
  staged.type('escape', { text: 'e' }, ...typed('customer.*'), 'enter')
  assert.not.match(textOf(staged), /invoice\.paid/)
  staged.type('escape', { text: '/' }, ...typed('EXAMPLE.ORG'), 'enter')
  assert.match(textOf(staged), /\/EXAMPLE\.ORG\n─+\n› 12:05:09 {2}customer\.updated/)
  staged.type({ text: '/' }, ...typed('!'), 'enter')
  assert.match(textOf(staged), /Nothing fits the filter/)
})

test('a pause holds back what comes, and counts it', () => {
  const staged = three()
  staged.type({ text: ' ' })
  staged.direction.record({ type: 'event', event: eventOf(4) })
  assert.match(textOf(staged), /PAUSED, 1 more/)
  assert.not.match(textOf(staged), /evt_4/)
  staged.type({ text: ' ' })
  assert.match(textOf(staged), /evt_4/)
})

test('nothing foreign reaches the terminal as more than text', () => {
  const hostile = '\u001b[2J\u001b]8;;http://evil/\u0007x\u001b]8;;\u0007\u202e\r\n\u009b31m'
  const staged = stage()
  const { record } = staged.direction
  record({ type: 'event', event: eventOf(1, { type: hostile, object: { id: hostile, [hostile]: hostile } }) })
  record(
    deliveryOf(1, {
      ...BROKEN,
      url: `http://localhost/${hostile}`,
      error_message: hostile,
      response_body: hostile,
      request_headers: { [hostile]: hostile },
    }),
  )
  record({
    type: 'state',
    state: 'down',
    reason: hostile,
    targets: [{ webhook_endpoint: 'we_1', url: hostile, enabled_events: [], status: 'enabled' }],
  })
  staged.type(...typed('/'), { text: '\u001b' }, 'enter', 'escape')
  for (const keys of [[], ['enter'], ['tab'], ['tab'], ['tab'], ['tab']] as const) {
    staged.type(...keys)
    const text = linesOf(staged).join('')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is what it is for
    assert.not.match(text, /[\u0000-\u001f\u007f-\u009f\u202e]/)
  }
})

for (const size of [
  { columns: 80, rows: 24 },
  { columns: 50, rows: 12 },
  { columns: 20, rows: 5 },
  { columns: 200, rows: 60 },
]) {
  test(`at ${size.columns}×${size.rows} it has exactly as many lines, in every mode`, () => {
    const staged = three()
    for (let number = 4; number < 200; number += 1)
      staged.direction.record({ type: 'event', event: eventOf(number) })
    for (const keys of [[], ['enter'], ['escape', { text: '?' }], ['escape', { text: 't' }]] as const) {
      staged.type(...keys)
      assert.is(linesOf(staged, size).length, size.rows)
    }
  })
}

test.run()
