import { assert, suite } from '../support/suite.ts'
import { BROKEN, deliveryOf, eventOf, HOOK, type Staged, stage, typed } from './scenes.ts'

const test = suite('tui/press')

function several(ports: Parameters<typeof stage>[0] = {}): Staged {
  const staged = stage(ports)
  for (let number = 1; number <= 5; number += 1) {
    const url = number === 5 ? { url: 'http://127.0.0.1:4101/checkout/cks_1' } : {}
    staged.direction.record({
      type: 'event',
      event: eventOf(number, { object: { id: `cks_${number}`, ...url } }),
    })
    staged.direction.record(deliveryOf(number, number % 2 === 0 ? BROKEN : {}))
  }
  return staged
}

const markOf = ({ direction }: Staged) => direction.scene().ui.selected
const noticeOf = ({ direction }: Staged) => direction.scene().ui.notice

test('the mark moves, stops at both ends, and at the newest it follows', () => {
  const staged = several()
  assert.is(markOf(staged), null)
  staged.type('up')
  assert.is(markOf(staged), 'evt_4')
  staged.type({ text: 'k' }, { text: 'g' })
  assert.is(markOf(staged), 'evt_1')
  staged.type('up', 'page-up')
  assert.is(markOf(staged), 'evt_1')
  staged.type('down')
  assert.is(markOf(staged), 'evt_2')
  staged.type('page-down')
  assert.is(markOf(staged), null)
})

test('keys ask for what the commands do', () => {
  for (const [keys, asked] of [
    [[{ text: 'r' }], 'resend evt_5'],
    [['up', { text: 'r' }], 'resend evt_4'],
    [[{ text: 'R' }], 'resend evt_2,evt_4'],
    [[{ text: 'y' }], 'copy evt_5'],
    [[{ text: 'o' }], 'open http://127.0.0.1:4101/checkout/cks_1'],
    [[{ text: 'q' }], 'quit false'],
    [['interrupt'], 'quit true'],
    [['enter', { text: 'r' }], 'resend evt_5'],
    [[{ text: 't' }, ...typed('invoice'), 'enter'], 'trigger invoice.paid'],
    [[{ text: 't' }, 'down', 'enter'], 'trigger invoice.paid'],
  ] as const) {
    const staged = several()
    staged.type(...keys)
    assert.equal(staged.asked, [asked])
  }
})

test('what is sent again says which targets it does not reach', async () => {
  for (const [status, says] of [
    ['enabled', 'Sent again.'],
    ['disabled', 'Sent again, but not to http://localhost:3000/hook, which is disabled.'],
  ] as const) {
    const staged = several()
    staged.direction.record({ type: 'state', state: 'ready', reason: null, targets: [{ ...HOOK, status }] })
    staged.type({ text: 'r' })
    await new Promise((resolve) => setImmediate(resolve))
    assert.is(noticeOf(staged), says)
  }
})

test('a resend that reaches nobody, with a target that is off, says what helps', async () => {
  const staged = several({ resend: () => Promise.reject(new Error('Nobody wants it.')) })
  const say = async (state: object) => {
    staged.direction.record({ type: 'state', state: 'ready', reason: null, targets: [HOOK], ...state })
    staged.type({ text: 'r' })
    await new Promise((resolve) => setImmediate(resolve))
    return noticeOf(staged)
  }
  assert.is(await say({}), 'Nobody wants it.')
  assert.is(await say({ reason: 'Enable it.' }), 'Enable it.')
})

test('a curl command is one that a shell takes', () => {
  const staged = several()
  staged.type({ text: 'c' })
  const [text = ''] = staged.asked
  assert.match(
    text,
    /^copy curl -X POST 'http:\/\/localhost:3000\/hook' -H 'webhook-id: evt_5' -H 'note: it'\\''s' --data-raw '\{"id":"evt_5"/,
  )
})

test('what cannot be done says why', () => {
  const empty = stage()
  empty.type({ text: 'r' })
  assert.match(noticeOf(empty) ?? '', /No event is marked/)
  empty.type({ text: 'R' })
  assert.match(noticeOf(empty) ?? '', /Nothing has failed/)
  empty.type({ text: 'Y' })
  assert.match(noticeOf(empty) ?? '', /nothing to copy/)
  empty.type({ text: 'o' })
  assert.match(noticeOf(empty) ?? '', /has a page/)
  assert.equal(empty.asked, [])
})

test('what fails is said in its words', async () => {
  const failure = Promise.reject(new Error('No enabled webhook endpoint wants it.'))
  const staged = stage({ resend: () => failure })
  staged.direction.record({ type: 'event', event: eventOf(1) })
  staged.type({ text: 'r' })
  await failure.catch(() => {})
  await Promise.resolve()
  await Promise.resolve()
  assert.match(noticeOf(staged) ?? '', /No enabled webhook endpoint wants it/)
})

test('x clears the list, and what comes after shows', () => {
  const staged = several()
  staged.type({ text: 'x' })
  assert.is(staged.direction.scene().feed.rows.length, 0)
  staged.direction.record({ type: 'event', event: eventOf(6) })
  assert.is(staged.direction.scene().feed.rows.length, 1)
})

test('escape cancels what was being typed', () => {
  const staged = several()
  staged.type({ text: '/' }, ...typed('abx'), 'backspace', 'escape')
  assert.equal(staged.direction.scene().ui.filter.search, '')
  staged.type({ text: '/' }, ...typed('abx'), 'backspace', 'enter')
  assert.equal(staged.direction.scene().ui.filter.search, 'ab')
})

test.run()
