import { assert, suite } from '../../support/suite.ts'
import {
  card,
  type Form,
  HostedPages,
  locationOf,
  NOW,
  pathOf,
  RETURN_URL,
  tokenIn,
  VISA,
} from '../hosted-pages.ts'

const test = suite('session-handlers')

const DECLINED = card('4000000000000002')

function fieldsWithErrors(body: string): string[] {
  return [...body.matchAll(/id="(\w+)-error">/g)].map(([, field = '']) => field)
}

test('shows a decline and accepts another card', async () => {
  const hosted = new HostedPages()
  for (const session of [await hosted.payment(), await hosted.checkout()]) {
    const path = pathOf(session)
    const declined = await hosted.submit(path, DECLINED)
    assert.is(declined.status, 402)
    assert.match(declined.body, 'The card ending in 0002 was not charged.')
    assert.match(declined.body, '<title>Error: Card declined</title>')
    const paid = await hosted.post(path, { ...VISA, form_token: tokenIn(declined.body) })
    assert.is(paid.status, 303)
    assert.is(locationOf(paid), `${path}/done`)
    assert.match((await hosted.get(path)).body, 'Already paid')
  }
})

test('prefills name and expiry, but never card number or security code', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.payment())
  for (const [number, status] of [
    ['4000 0000 0000 9987', 402],
    ['4000 0000 0000 9988', 422],
  ] as const) {
    const { body, ...answer } = await hosted.submit(path, { ...card(number), cvc: '765' })
    assert.is(answer.status, status)
    assert.match(body, 'name="name" value="Ada"')
    assert.match(body, 'name="expiry" value="12 / 30"')
    assert.not.match(body, '765')
    assert.not.match(body.replaceAll(' ', ''), number.replaceAll(' ', ''))
    assert.match(body, 'name="number" value=""')
    assert.match(body, 'name="cvc" value=""')
  }
})

test('shows errors below invalid fields and focuses the first invalid field', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.payment())
  const cases: readonly (readonly [Form, readonly string[]])[] = [
    [{}, ['number', 'expiry', 'cvc']],
    [{ ...VISA, number: '4242424242424241' }, ['number']],
    [{ ...VISA, expiry: '13/30' }, ['expiry']],
    [{ ...VISA, expiry: '02/26' }, ['expiry']],
    [{ ...VISA, expiry: '12 / 2025' }, ['expiry']],
    [{ ...VISA, expiry: 'soon' }, ['expiry']],
    [{ ...VISA, cvc: '12' }, ['cvc']],
    [{ ...VISA, cvc: 'abc', name: 'x'.repeat(257) }, ['cvc', 'name']],
    [{ ...VISA, name: 'a\u0000b' }, ['name']],
  ]
  for (const [fields, faulty] of cases) {
    const { status, body } = await hosted.submit(path, fields)
    assert.is(status, 422)
    assert.equal(fieldsWithErrors(body), faulty)
    const invalid = [...body.matchAll(/<input [^>]*aria-invalid="true"[^>]*>/g)].map(([tag]) => tag)
    assert.is(invalid.length, faulty.length)
    for (const [index, field] of faulty.entries()) {
      assert.match(
        invalid[index] ?? '',
        new RegExp(` name="${field}".*aria-describedby="[^"]*\\b${field}-error"`),
      )
    }
    assert.match(body, new RegExp(`id="${faulty[0]}"[^>]* autofocus`))
    assert.is(body.match(/autofocus/g)?.length, 1)
  }
  assert.equal((await hosted.events()).slice(2), [], 'nothing happened')
})

test('discards a card number that was entered in another field', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.checkout())
  const misplaced = { ...VISA, name: '4000 0566 5566 5556', expiry: '4000056655665556' }
  const { status, body } = await hosted.submit(path, misplaced)
  assert.is(status, 422)
  assert.not.match(body.replaceAll(' ', ''), '4000056655665556')
  assert.not.match((await hosted.kept()).replaceAll(' ', ''), '4000056655665556')
})

test('stores neither the card number nor the security code of a submitted card', async () => {
  const hosted = new HostedPages()
  for (const number of ['4242424242424242', '4000000000000002', '4000000000003220', '4111111111111111']) {
    const session = await hosted.checkout()
    const answer = await hosted.submit(pathOf(session), { ...card(number), cvc: '739' })
    assert.not.match(JSON.stringify(answer).replace(/<aside.*<\/aside>/s, ''), new RegExp(`${number}|739`))
    assert.not.match(await hosted.kept(), new RegExp(`${number}|739`))
  }
})

test('declines a number that is not a test card and stores no part of the number', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.payment())
  const before = await hosted.kept()
  const form_token = tokenIn((await hosted.get(path)).body)
  for (let sent = 0; sent < 2; sent += 1) {
    const declined = await hosted.post(path, { ...card('4111111111111111'), form_token })
    assert.is(declined.status, 402)
    assert.match(declined.body, 'not a test card')
  }
  assert.is(await hosted.kept(), before)
  for (const name of ['form_tokens', 'traceless_declines'] as const) {
    const kept = await hosted.runtime.store.listOldest(name, 2)
    assert.is(kept.length, 1, 'the same form sent twice is one decline')
    assert.not.match(JSON.stringify(kept), /1111/)
  }
})

test('returns 422 and charges nothing for a form with a missing, forged, expired or foreign token', async () => {
  const hosted = new HostedPages()
  const session = await hosted.payment({ expires_at: NOW + 3 * 86_400 })
  const other = tokenIn(
    (await hosted.get(pathOf(await hosted.payment({ expires_at: NOW + 3 * 86_400 })))).body,
  )
  const own = tokenIn((await hosted.get(pathOf(session))).body)
  const before = await hosted.kept()
  hosted.now = NOW + 86_401
  for (const form_token of ['', 'x', other, `${own}x`, own]) {
    const { status, body } = await hosted.post(pathOf(session), { ...VISA, form_token })
    assert.is(status, 422)
    assert.match(body, 'Please send the form again')
    assert.match(body, 'name="name" value="Ada"')
  }
  assert.is((await hosted.post(pathOf(session), VISA)).status, 422)
  assert.is(
    (await hosted.serve({ method: 'POST', path: pathOf(session), form: null, accept: '*/*' })).status,
    422,
  )
  assert.is(await hosted.kept(), before)
})

test('blocks a session after ten declines until the oldest decline is an hour old', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.payment())
  for (let n = 0; n < 10; n += 1) {
    assert.is((await hosted.submit(path, DECLINED)).status, 402)
    hosted.now += 60
  }
  const refused = await hosted.submit(path, VISA)
  assert.is(refused.status, 429)
  assert.is(refused.headers['Retry-After'], String(3600 - 600))
  assert.match(refused.body, 'Try again in 50 minutes')
  hosted.now += 3000
  assert.is((await hosted.submit(path, VISA)).status, 303)
})

test('shows no card form for an invoiced subscription', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.checkout({ collection_method: 'send_invoice' }))
  const { body } = await hosted.get(path)
  assert.not.match(body, 'name="number"')
  assert.not.match(body, '4242')
  const done = await hosted.post(path, { form_token: tokenIn(body) })
  assert.is(done.status, 303)
  assert.match((await hosted.get(`${path}/done`)).body, 'Your first invoice has been sent by email.')
  assert.match((await hosted.get(path)).body, 'Already subscribed')
})

test('starts a trial without a card when the button is pressed', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.checkout({ trial_days: 14 }, { payment_method_collection: 'if_required' }))
  const { body } = await hosted.get(path)
  assert.not.match(body, 'name="number"')
  assert.match(body, 'No card is needed for the trial.')
  const done = await hosted.post(path, { form_token: tokenIn(body) })
  assert.equal([done.status, locationOf(done)], [303, `${path}/done`])
  const result = (await hosted.get(`${path}/done`)).body
  assert.match(result, 'Your trial has started, and nothing was charged today.')
  assert.match(result, /Trial ends<\/dt><dd>March.17,.2026/)
  const { data } = await hosted.runtime.store.list('payment_methods', { limit: 1 })
  assert.equal(data, [])
})

test('saves the card and charges nothing when the subscription starts later', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.checkout({ start_date: NOW + 86_400 }))
  assert.match((await hosted.get(path)).body, 'Nothing is charged today')
  const declined = await hosted.submit(path, DECLINED)
  assert.is(declined.status, 402)
  assert.match(declined.body, 'ending in 0002')
  await hosted.submit(path, VISA)
  const { body } = await hosted.get(`${path}/done`)
  assert.match(body, 'Your card is saved, and nothing was charged today.')
  assert.match(body, /First payment<\/dt><dd>March.4,.2026/)
  assert.not.ok((await hosted.events()).some((type) => type.startsWith('payment.')))
})

test('redirects a browser to exactly the return_url after completion', async () => {
  const hosted = new HostedPages()
  const session = await hosted.payment()
  await hosted.submit(pathOf(session), VISA)
  const done = await hosted.get(`${pathOf(session)}/done`)
  const escaped = RETURN_URL.replaceAll('&', '&amp;')
  assert.match(done.body, `<meta http-equiv="refresh" content="0; url=${escaped}">`)
  assert.match(done.body, `href="${escaped}"`)
  const later = await hosted.get(pathOf(session))
  assert.match(later.body, `href="${escaped}"`)
  assert.not.match(later.body, 'http-equiv="refresh"')
})

test('redirects clients that do not accept HTML to exactly the return_url', async () => {
  const hosted = new HostedPages()
  const urls: readonly (readonly [given: string, sent: string])[] = [
    [RETURN_URL, RETURN_URL],
    ['https://shop.example', 'https://shop.example'],
    ['https://shop.example/ü?q=é', 'https://shop.example/%C3%BC?q=%C3%A9'],
  ]
  for (const [return_url, sent] of urls) {
    const path = pathOf(await hosted.payment({ return_url }))
    await hosted.submit(path, VISA)
    const answer = await hosted.serve({ path: `${path}/done`, accept: '*/*' })
    assert.is(answer.status, 303)
    assert.is(locationOf(answer), sent)
    assert.is((await hosted.serve({ path: `${path}/done`, accept: 'text/html,*/*' })).status, 200)
  }
})

test('returns 410 for a canceled session, with a link to the merchant', async () => {
  const hosted = new HostedPages()
  const session = await hosted.payment()
  await hosted.cancel(session)
  const { status, body } = await hosted.get(pathOf(session))
  assert.is(status, 410)
  assert.match(body, 'This request was canceled')
  assert.match(body, 'Back to <bdi dir="auto">shop.example</bdi>')
})

test.run()
