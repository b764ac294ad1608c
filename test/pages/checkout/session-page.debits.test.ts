import { api } from '../../../src/api/api.ts'
import { DAY } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'
import { openDebit, openDebitedInvoice } from '../debit-scenes.ts'
import { HostedPages, pathOf, VISA } from '../hosted-pages.ts'

const test = suite('session-page.debits')

const HOLDER = { holder: 'Ada Lovelace' }
const GOOD = { iban: 'de89 3704 0044 0532 0130 00', ...HOLDER }

test('offers a form for an IBAN only for sessions with the payment method type sepa_debit', async () => {
  for (const kind of ['payment', 'checkout'] as const) {
    const { hosted, path } = await openDebit(kind)
    assert.match(
      (await hosted.get(path)).body,
      '<details class="debit"><summary class="or"><u>Pay by SEPA Direct Debit',
    )
  }
  const hosted = new HostedPages()
  assert.not.match((await hosted.get(pathOf(await hosted.payment()))).body, 'iban')
})

test('shows only the form for an IBAN when the session accepts no card, and completes the session with it', async () => {
  const types = { payment_method_types: ['sepa_debit'] } as const
  for (const kind of ['payment', 'checkout'] as const) {
    const { sandbox, hosted, path } = await openDebit(kind, types)
    const { body } = await hosted.get(path)
    assert.match(body, '<h2 id="form-title">Bank account</h2>')
    assert.not.match(body, /cc-number|<details class="debit"/)
    const card = await hosted.submit(path, VISA)
    assert.is(card.status, 303)
    const invalid = await hosted.submit(path, { ...GOOD, iban: 'DE00' })
    assert.is(invalid.status, 422)
    assert.match(invalid.body, 'name="holder" value="Ada Lovelace"')
    const { data } = await sandbox.call(api.payments.list, {})
    assert.equal(data, [])
    await hosted.submit(path, GOOD)
    const [payment] = (await sandbox.call(api.payments.list, {})).data
    assert.is(payment?.status, 'processing')
  }
})

test('responds 422 to an invalid IBAN and to a missing holder, keeps only the holder, and charges nothing', async () => {
  const { sandbox, hosted, path } = await openDebit()
  const before = await hosted.events()
  for (const [iban, message] of [
    ['', 'Enter the IBAN of your bank account.'],
    ['DE89370400440532013001', 'This IBAN is not valid.'],
    ['not an IBAN', 'This IBAN is not valid.'],
    ['GB82WEST12345698765432', 'This is not a test IBAN'],
  ] as const) {
    const { status, body } = await hosted.submit(path, { iban, ...HOLDER })
    assert.is(status, 422)
    assert.match(body, message)
    assert.match(body, '<details class="debit" open>')
    assert.match(body, 'name="holder" value="Ada Lovelace"')
    if (iban !== '') assert.not.match(body, iban)
  }
  const { status, body } = await hosted.submit(path, { ...GOOD, holder: '' })
  assert.is(status, 422)
  assert.match(body, 'Enter the name of the account holder.')
  assert.match(
    (await hosted.submit(path, { ...GOOD, holder: '4242 4242 4242 4242' })).body,
    'looks like a card number',
  )
  assert.equal(await hosted.events(), before)
  assert.equal((await sandbox.snapshot()).records.payments, [])
})

test('submits a debit with the name of the holder, whose result page changes with the outcome', async () => {
  const { sandbox, hosted, path } = await openDebit('checkout')
  assert.is((await hosted.submit(path, GOOD)).status, 303)
  assert.match((await hosted.get(path)).body, 'The payment is complete when your bank confirms it.')
  const { records } = await sandbox.snapshot()
  assert.is(records.payment_methods[0]?.billing_details.name, 'Ada Lovelace')
  assert.not.match(JSON.stringify(records), '0532')
  await sandbox.advance(3 * DAY)
  const { body } = await hosted.get(path)
  assert.match(body, 'Your first payment went through.')
  assert.match(body, 'SEPA Direct Debit •••• 3000')
})

test('accepts no IBAN for a session without direct debits', async () => {
  const hosted = new HostedPages()
  const session = await hosted.payment()
  assert.is((await hosted.submit(pathOf(session), GOOD)).status, 303)
  assert.is((await hosted.runtime.store.get('payment_sessions', session.id))?.status, 'open')
})

test('shows an invoice with a debit without a form, and responds 409 to a form that was shown before', async () => {
  const { sandbox, hosted, path, card } = await openDebitedInvoice()
  assert.match((await hosted.get(path)).body, 'Payment submitted')
  const update = (await hosted.get(card)).body
  assert.match(update, 'SEPA Direct Debit •••• 3001')
  assert.match(update, 'Nothing is charged today.')
  await sandbox.advance(3 * DAY)
  const open = await hosted.get(path)
  assert.match(open.body, 'id="card"')
  const [form_token = ''] = /(?<=name="form_token"[^>]* value=")[^"]+/.exec(open.body) ?? []
  await sandbox.call(api.invoices.pay, { id: path.split('/').at(-1) ?? '' })
  assert.is((await hosted.post(path, { ...VISA, form_token })).status, 409)
  assert.is(await hosted.browse(path, { ...VISA, form_token }), path)
})

test.run()
