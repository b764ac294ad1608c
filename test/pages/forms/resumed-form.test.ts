import { NOTHING_KEPT } from '../../../src/pages/forms/entered-card.ts'
import { openResumed, type Resumed, sealResumed } from '../../../src/pages/forms/resumed-form.ts'
import { START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'
import { newCheckout, openClocked, putClock } from '../clocked.ts'
import { card, Hosted, locationOf, pathOf, tokenIn, VISA } from '../hosted.ts'
import { owedIn } from '../owed.ts'

const KEY = 'key'
const SENDING = { path: '/sessions/pys_1', nonce: 'n0nce', sentAt: 1000 }
const OPENING = { path: '/sessions/pys_1', now: 1000 }
const RESUMED: Resumed = {
  reason: { why: 'declined', code: 'card_declined', message: 'Your card was declined.', last4: '0002' },
  kept: { ...NOTHING_KEPT, name: 'Ada Lovelace', exp_month: '12' },
}
const DECLINED = card('4000000000000002')

const test = suite('resumed-form')

test('what is sealed is read back on its own page, for a quarter of an hour', () => {
  const sealed = sealResumed(RESUMED, SENDING, KEY)
  assert.equal(openResumed(sealed, OPENING, KEY), RESUMED)
  assert.equal(openResumed(sealed, { ...OPENING, now: 1000 + 900 }, KEY), RESUMED)
  assert.is(openResumed(sealed, { ...OPENING, now: 1000 + 901 }, KEY), null)
})

test('what is sealed says nothing to who reads the address', () => {
  const sealed = sealResumed(RESUMED, SENDING, KEY)
  assert.match(sealed, /^[\w.-]+$/)
  const bytes = Buffer.from(sealed.split('.')[2] ?? '', 'base64url').toString('latin1')
  for (const word of ['Ada', 'declined', '0002']) assert.not.match(bytes, word)
})

test('two texts of one form in one second have nothing in common but their names', () => {
  const [one, other] = ['0002', '0003'].map((last4) => {
    const reason = { ...RESUMED.reason, last4 } as Resumed['reason']
    const [, , text = ''] = sealResumed({ ...RESUMED, reason }, SENDING, KEY).split('.')
    return Buffer.from(text, 'base64url')
  })
  if (one === undefined || other === undefined) throw new Error('nothing was sealed')
  const alike = [...one].filter((byte, at) => byte === other[at]).length
  assert.ok(alike < one.length / 4, `${alike} of ${one.length} bytes alike`)
})

test('what another page, key, nonce or time sealed, or nobody, is nothing', () => {
  const sealed = sealResumed(RESUMED, SENDING, KEY)
  const [nonce, sentAt, text = ''] = sealed.split('.')
  assert.is(openResumed(sealed, { ...OPENING, path: '/sessions/pys_2' }, KEY), null)
  assert.is(openResumed(sealed, OPENING, 'other key'), null)
  const flipped = (text[0] === 'A' ? 'B' : 'A') + text.slice(1)
  for (const forged of [
    null,
    '',
    'declined',
    `other.${sentAt}.${text}`,
    `${nonce}.1001.${text}`,
    `${nonce}.${sentAt}.${flipped}`,
    `${nonce}.${sentAt}.${text.slice(0, -1)}`,
    `${nonce}.${sentAt}.`,
    `${nonce}.${sentAt}.${'A'.repeat(38)}`,
  ]) {
    assert.is(openResumed(forged, OPENING, KEY), null, String(forged))
  }
})

test('a browser that sends a form is led to a page that says what a program is told at once', async () => {
  const hosted = new Hosted()
  const sessions = [await hosted.payment(), await hosted.checkout()]
  const cases = [
    [DECLINED, 402, 'The card ending in 0002 was not charged.'],
    [{ ...VISA, cvc: '1' }, 422, 'Enter the security code of the card: 3 digits.'],
    [{ ...VISA, name: '4242424242424242' }, 422, 'This looks like a card number.'],
    [{ ...VISA, form_token: 'x' }, 422, 'Please send the form again'],
  ] as const
  for (const path of sessions.map(pathOf)) {
    for (const [fields, status, words] of cases) {
      const form = { form_token: tokenIn((await hosted.get(path)).body), ...fields }
      assert.is((await hosted.post(path, form)).status, status)
      const led = await hosted.browse(path, form)
      assert.match(led, new RegExp(`^${path}\\?again=[\\w.-]+$`))
      const shown = await hosted.follow(led)
      assert.is(shown.status, 200)
      assert.match(shown.body, words)
      assert.match(shown.body, 'name="exp_month" value="12"')
      assert.match(shown.body, 'name="number" value=""')
      assert.not.match((await hosted.get(path)).body, 'role="alert"')
    }
  }
})

test('an invoice leads its browsers the same way', async () => {
  const hosted = new Hosted()
  const path = pathOf({ url: (await owedIn(hosted)).hosted_invoice_url ?? '' })
  const form_token = tokenIn((await hosted.get(path)).body)
  const faulty = await hosted.browse(path, { ...VISA, cvc: '1', form_token })
  assert.match((await hosted.follow(faulty)).body, 'Enter the security code of the card: 3 digits.')
  const declined = await hosted.follow(await hosted.browse(path, { ...DECLINED, form_token }))
  assert.match(declined.body, 'The card ending in 0002 was not charged.')
  assert.match(declined.body, 'name="name" value="Ada"')
  assert.is(await hosted.browse(path, { ...VISA, form_token: tokenIn(declined.body) }), path)
  assert.is(await hosted.browse(path, { ...VISA, form_token }), path, 'also once it is paid')
})

test('a 3-D Secure page is shown again to who answered nothing, or something of another page', async () => {
  const hosted = new Hosted()
  const bank = locationOf(await hosted.submit(pathOf(await hosted.payment()), card('4000000000003220')))
  const form_token = tokenIn((await hosted.get(bank)).body)
  for (const [form, words] of [
    [{ form_token }, 'Press Approve or Reject.'],
    [{ answer: 'approve' }, 'Please send the form again'],
  ] as const) {
    assert.match((await hosted.follow(await hosted.browse(bank, form))).body, words)
  }
})

test('a browser is led to a page also where a form comes too late', async () => {
  const hosted = new Hosted()
  const slow = pathOf(await hosted.payment())
  const form = { ...VISA, form_token: tokenIn((await hosted.get(slow)).body) }
  await hosted.submit(slow, card('4000009000000060'))
  assert.is(await hosted.browse(slow, form), `${slow}/done`)

  const session = await hosted.payment()
  const path = pathOf(session)
  const bank = locationOf(await hosted.submit(path, card('4000000000003220')))
  const form_token = tokenIn((await hosted.get(bank)).body)
  hosted.now = session.expires_at
  assert.is(await hosted.browse(path, VISA), path)
  assert.is(await hosted.browse(bank, { answer: 'approve', form_token }), bank)
  assert.is((await hosted.follow(bank)).status, 410)
})

test('after too many declines the page says how long to wait, and asks for a card again afterwards', async () => {
  const hosted = new Hosted()
  const path = pathOf(await hosted.payment())
  for (let n = 0; n < 10; n += 1) await hosted.submit(path, DECLINED)
  const form_token = tokenIn((await hosted.get(path)).body)
  const led = await hosted.browse(path, { ...VISA, form_token })
  hosted.now += 600
  const told = await hosted.follow(led)
  assert.equal([told.status, told.headers['Retry-After']], [429, '3000'])
  assert.match(told.body, 'Come back in 50 minutes')
  hosted.now += 3000
  const { status, body } = await hosted.follow(led)
  assert.is(status, 200)
  assert.not.match(body, 'role="alert"')
})

test('a form that a moving clock turned away is told of, also once the clock stands still', async () => {
  const clocked = await openClocked(START)
  const { hosted } = clocked
  const path = pathOf(await newCheckout(clocked))
  const form_token = tokenIn((await hosted.get(path)).body)
  await putClock(clocked, { status: 'advancing' })
  const led = await hosted.browse(path, { ...VISA, form_token })
  const meanwhile = await hosted.follow(led)
  assert.is(meanwhile.status, 409)
  assert.match(meanwhile.body, 'What you just sent was not used')
  await putClock(clocked, { status: 'ready' })
  const { status, body } = await hosted.follow(led)
  assert.is(status, 200)
  assert.match(body, /role="alert">.*What you just sent was not used/)
})

test('the drawer stays open for who chose an outcome in it', async () => {
  const hosted = new Hosted()
  hosted.pages.isLocal = true
  const path = pathOf(await hosted.payment())
  const form_token = tokenIn((await hosted.get(path)).body)
  const led = await hosted.browse(path, { test_card: 'declined', form_token })
  assert.match(led, /&developer$/)
  assert.match((await hosted.follow(led)).body, '<details open>')
})

test('what was typed into the wrong field goes nowhere', async () => {
  const hosted = new Hosted()
  const path = pathOf(await hosted.payment())
  const form_token = tokenIn((await hosted.get(path)).body)
  const fields = { number: '123', exp_month: '739', exp_year: '7391', cvc: '', name: '', form_token }
  const { body } = await hosted.follow(await hosted.browse(path, fields))
  assert.not.match(body.replace(/form_token[^>]*>/, ''), /value="739/)
})

test.run()
