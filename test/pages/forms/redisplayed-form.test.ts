import { EMPTY_FIELDS } from '../../../src/pages/forms/posted-form.ts'
import {
  decryptRedisplayedForm,
  encryptRedisplayedForm,
  type RedisplayedForm,
} from '../../../src/pages/forms/redisplayed-form.ts'
import { START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'
import { createClockSandbox, newCheckout, updateClock } from '../clock-sandbox.ts'
import { card, HostedPages, invoicePathOf, locationOf, pathOf, tokenIn, VISA } from '../hosted-pages.ts'
import { createSentInvoice } from '../sent-invoice.ts'

const KEY = 'key'
const SENDING = { path: '/sessions/pys_1', nonce: 'n0nce', sentAt: 1000 }
const OPENING = { path: '/sessions/pys_1', now: 1000 }
const RESUMED: RedisplayedForm = {
  reason: { why: 'declined', code: 'card_declined', message: 'Your card was declined.', last4: '0002' },
  prefilled: { ...EMPTY_FIELDS, name: 'Ada Lovelace', expiry: '12 / 30' },
}
const DECLINED = card('4000000000000002')

const test = suite('resumed-form')

test('decrypts a submitted form on the same page for 15 minutes', () => {
  const sealed = encryptRedisplayedForm(RESUMED, SENDING, KEY)
  assert.equal(decryptRedisplayedForm(sealed, OPENING, KEY), RESUMED)
  assert.equal(decryptRedisplayedForm(sealed, { ...OPENING, now: 1000 + 900 }, KEY), RESUMED)
  assert.is(decryptRedisplayedForm(sealed, { ...OPENING, now: 1000 + 901 }, KEY), null)
})

test('encrypts the form contents in the redirect URL', () => {
  const sealed = encryptRedisplayedForm(RESUMED, SENDING, KEY)
  assert.match(sealed, /^[\w.-]+$/)
  const bytes = Buffer.from(sealed.split('.')[2] ?? '', 'base64url').toString('latin1')
  for (const word of ['Ada', 'declined', '0002']) assert.not.match(bytes, word)
})

test('encrypts two forms with the same nonce and time differently', () => {
  const [one, other] = ['0002', '0003'].map((last4) => {
    const reason = { ...RESUMED.reason, last4 } as RedisplayedForm['reason']
    const [, , text = ''] = encryptRedisplayedForm({ ...RESUMED, reason }, SENDING, KEY).split('.')
    return Buffer.from(text, 'base64url')
  })
  if (one === undefined || other === undefined) throw new Error('nothing was sealed')
  const alike = [...one].filter((byte, at) => byte === other[at]).length
  assert.ok(alike < one.length / 4, `${alike} of ${one.length} bytes alike`)
})

test('returns null for another page, key, nonce or time, and for malformed input', () => {
  const sealed = encryptRedisplayedForm(RESUMED, SENDING, KEY)
  const [nonce, sentAt, text = ''] = sealed.split('.')
  assert.is(decryptRedisplayedForm(sealed, { ...OPENING, path: '/sessions/pys_2' }, KEY), null)
  assert.is(decryptRedisplayedForm(sealed, OPENING, 'other key'), null)
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
    assert.is(decryptRedisplayedForm(forged, OPENING, KEY), null, String(forged))
  }
})

test('redirects a browser to a page with the error that other clients receive directly', async () => {
  const hosted = new HostedPages()
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
      assert.match(shown.body, 'name="expiry" value="12 / 30"')
      assert.match(shown.body, 'name="number" value=""')
      assert.not.match((await hosted.get(path)).body, 'role="alert"')
    }
  }
})

test('redirects a browser after it submits an invoice form', async () => {
  const hosted = new HostedPages()
  const path = invoicePathOf(await createSentInvoice(hosted))
  const form_token = tokenIn((await hosted.get(path)).body)
  const faulty = await hosted.browse(path, { ...VISA, cvc: '1', form_token })
  assert.match((await hosted.follow(faulty)).body, 'Enter the security code of the card: 3 digits.')
  const declined = await hosted.follow(await hosted.browse(path, { ...DECLINED, form_token }))
  assert.match(declined.body, 'The card ending in 0002 was not charged.')
  assert.match(declined.body, 'name="name" value="Ada"')
  assert.is(await hosted.browse(path, { ...VISA, form_token: tokenIn(declined.body) }), path)
  assert.is(await hosted.browse(path, { ...VISA, form_token }), path, 'also once it is paid')
})

test('shows a 3-D Secure page again when the decision is missing or the token is invalid', async () => {
  const hosted = new HostedPages()
  const bank = locationOf(await hosted.submit(pathOf(await hosted.payment()), card('4000000000003220')))
  const form_token = tokenIn((await hosted.get(bank)).body)
  for (const [form, words] of [
    [{ form_token }, 'Press Approve or Reject.'],
    [{ answer: 'approve' }, 'Please send the form again'],
  ] as const) {
    assert.match((await hosted.follow(await hosted.browse(bank, form))).body, words)
  }
})

test('redirects a browser that submits a form after the session has ended', async () => {
  const hosted = new HostedPages()
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

test('shows the waiting time after too many declines, and then the card form', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.payment())
  for (let n = 0; n < 10; n += 1) await hosted.submit(path, DECLINED)
  const form_token = tokenIn((await hosted.get(path)).body)
  const led = await hosted.browse(path, { ...VISA, form_token })
  hosted.now += 600
  const told = await hosted.follow(led)
  assert.equal([told.status, told.headers['Retry-After']], [429, '3000'])
  assert.match(told.body, 'Try again in 50 minutes')
  hosted.now += 3000
  const { status, body } = await hosted.follow(led)
  assert.is(status, 200)
  assert.not.match(body, 'role="alert"')
})

test('shows that a form was not used because the clock was advancing, even when the clock is ready again', async () => {
  const clocked = await createClockSandbox(START)
  const { hosted } = clocked
  const path = pathOf(await newCheckout(clocked))
  const form_token = tokenIn((await hosted.get(path)).body)
  await updateClock(clocked, { status: 'advancing' })
  const led = await hosted.browse(path, { ...VISA, form_token })
  const meanwhile = await hosted.follow(led)
  assert.is(meanwhile.status, 409)
  assert.match(meanwhile.body, 'The form you just sent was not used')
  await updateClock(clocked, { status: 'ready' })
  const { status, body } = await hosted.follow(led)
  assert.is(status, 200)
  assert.match(body, /role="alert">.*The form you just sent was not used/)
})

test('keeps the test bar open after the developer chose an outcome in the test bar', async () => {
  const hosted = new HostedPages()
  hosted.pages.isLocal = true
  const path = pathOf(await hosted.payment())
  const form_token = tokenIn((await hosted.get(path)).body)
  const led = await hosted.browse(path, { test_card: 'declined', form_token })
  assert.match(led, /&developer$/)
  assert.match((await hosted.follow(led)).body, '<details open>')
})

test('removes card data that was entered in the wrong field', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.payment())
  const form_token = tokenIn((await hosted.get(path)).body)
  const fields = { number: '123', expiry: '7391', cvc: '', name: '', form_token }
  const { body } = await hosted.follow(await hosted.browse(path, fields))
  assert.not.match(body.replace(/form_token[^>]*>/, ''), /value="739/)
})

test.run()
