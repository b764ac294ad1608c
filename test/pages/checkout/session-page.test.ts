import { api } from '../../../src/api/api.ts'
import { subscribe, toNextPeriod } from '../../support/billing.ts'
import { newCheckout } from '../../support/samples.ts'
import { CHECKOUT_URL, createSandbox, DAY } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'
import { HostedPages, pathOf, RETURN_URL, textOf, VISA } from '../hosted-pages.ts'
import { HOSTILE } from '../hostile.ts'

const test = suite('session-page')

const FREE = { description: 'Free', price_data: { amount: 0 } }
const ITEM = { description: 'Rent', price_data: { amount: 1000 } }

/** Returns all tags of a page without the values that differ between renderings. */
function tagsOf(body: string): string[] {
  return (body.match(/<[^>]*>/g) ?? []).map((tag) =>
    tag.replace(/ (?:value|href|action|content)="[^"]*"/g, ''),
  )
}

/** Renders every page of both session types, with the same string in every field of the merchant and the customer. */
async function pagesWith(text: string): Promise<string[]> {
  const hosted = new HostedPages()
  const customer = await hosted.customer({ name: text, email: text })
  const oneLine = text.replace(/[\n\t]/g, ' ')
  const return_url = `${RETURN_URL}&x=${oneLine}`
  const items = [{ ...ITEM, description: text }, ITEM]
  const checkout = await hosted.checkout({ items }, { description: `${text}.`, return_url }, customer)
  const payment = await hosted.payment({ description: text, return_url }, customer)
  const bodies: string[] = []
  for (const session of [checkout, payment]) {
    const path = pathOf(session)
    const see = async (at: string) => bodies.push((await hosted.get(at)).body)
    await see(path)
    bodies.push((await hosted.submit(path, { ...VISA, cvc: '', name: oneLine })).body)
    const bank = await hosted.submit(path, { ...VISA, number: '4000000000003220' })
    await see(bank.headers['Location'] ?? '')
    await hosted.submit(path, VISA)
    await see(`${path}/done`)
    await see(path)
  }
  return bodies
}

for (const [index, text] of HOSTILE.entries()) {
  test(`escapes hostile text number ${index} on every page`, async () => {
    const bodies = await pagesWith(text)
    // Narrow screens collapse a long description.
    const wanted = await pagesWith('x'.repeat(text.length))
    for (const [at, body] of bodies.entries())
      assert.equal(tagsOf(body), tagsOf(wanted[at] ?? ''), `page ${at}`)
  })
}

test('shows prices, the amount due and the customer', async () => {
  const hosted = new HostedPages()
  const items = [
    { description: 'Rent', type: 'rent', price_data: { amount: 100_000, tax_percent: 20 } },
    { type: 'late_fee', price_data: { amount: 1999, tax_percent: 5.5 } },
    { price_data: { amount: 1 } },
    { description: 'Key', quantity: 3, price_data: { amount: 1500 } },
  ]
  const session = await hosted.checkout(
    { items, interval: 'month', interval_count: 3 },
    { description: 'Flat 4b' },
  )
  const text = textOf((await hosted.get(pathOf(session))).body)
  for (const words of [
    '€1,266.10 every 3 months',
    'Flat 4b',
    'Rent every 3 months, plus 20% tax €1,000.00',
    'Late fee every 3 months, plus 5.5% tax €19.99',
    'Item every 3 months €0.01',
    'Key 3 × €15.00 every 3 months €45.00',
    'Subtotal €1,065.00',
    'Tax 20% €200.00',
    'Tax 5.5% €1.10',
    'Total due today €1,266.10',
    'For Ada Lovelace , ada@example.com',
  ]) {
    assert.ok(text.includes(words), `'${words}' is not in: ${text}`)
  }
})

test('shows the credit that a first invoice uses, and the smaller amount that was charged', async () => {
  const sandbox = createSandbox()
  const { id, customer } = await subscribe(sandbox, { interval: 'day', items: [FREE] })
  const credit = { subscription: id, description: 'Goodwill', unit_amount: -50_000 }
  await sandbox.call(api.invoiceItems.create, credit)
  await toNextPeriod(sandbox, id)
  const hosted = new HostedPages(CHECKOUT_URL, sandbox.runtime)
  const path = pathOf(await newCheckout(sandbox, {}, { customer }))
  const textAt = async (at: string) => textOf((await hosted.get(at)).body)
  const words = 'Tax 20% €200.00 Credit applied -€500.00 Total due today €700.00 €700.00 is charged today.'
  assert.ok((await textAt(path)).includes(words))
  await hosted.submit(path, VISA)
  assert.ok((await textAt(`${path}/done`)).includes('Credit applied -€500.00 Total €700.00'))
  const later = pathOf(await newCheckout(sandbox, { start_date: sandbox.now() + DAY }, { customer }))
  assert.not.match(await textAt(later), 'Credit applied')
})

test('joins name and email address with the punctuation of the language', async () => {
  const hosted = new HostedPages()
  const named = pathOf(await hosted.payment())
  const unnamed = pathOf(await hosted.payment({}, await hosted.customer({ name: null })))
  const lineAt = async (path: string, acceptLanguage: string) =>
    /<p class="for">(.*)<\/p>/
      .exec((await hosted.serve({ path, acceptLanguage })).body)?.[1]
      ?.replace(/<.*?>/g, '')
  assert.is(await lineAt(named, 'en'), 'For Ada Lovelace, ada@example.com')
  assert.is(await lineAt(named, 'ar'), 'إلى Ada Lovelace، ada@example.com')
  assert.is(await lineAt(named, 'ja'), 'お客様: Ada Lovelace（ada@example.com）')
  assert.is(await lineAt(unnamed, 'ja'), 'お客様: ada@example.com')
})

test('hides a session description that repeats the items', async () => {
  const hosted = new HostedPages()
  const body = (await hosted.get(pathOf(await hosted.checkout()))).body
  assert.is(body.match(/Monthly rent/g)?.length, 1)
})

test('collapses a long item description', async () => {
  const hosted = new HostedPages()
  const { body } = await hosted.get(pathOf(await hosted.payment({ description: 'long '.repeat(1000) })))
  assert.match(body, '<details class="description"><summary>')
})

test('states that the card is saved only if the session saves the card', async () => {
  const hosted = new HostedPages()
  const consent = 'By paying you allow your card to be saved and charged for later payments.'
  for (const save_payment_method of [true, false]) {
    const path = pathOf(await hosted.payment({ save_payment_method }))
    const { body } = await hosted.get(path)
    assert.match(
      body,
      save_payment_method ? 'Your card is saved for later payments.' : 'Your card is not saved.',
    )
    assert.is(body.includes(consent), save_payment_method)
    await hosted.submit(path, VISA)
    const done = await hosted.get(`${path}/done`)
    assert.is(done.body.includes('and your card is saved.'), save_payment_method)
  }
})

test.run()
