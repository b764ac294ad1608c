import { api } from '../../../src/api/api.ts'
import { subscribe, toNextPeriod } from '../../support/billing.ts'
import { newCustomer } from '../../support/samples.ts'
import { assert, suite } from '../../support/suite.ts'
import { locationOf, pathOf, textOf, VISA } from '../hosted-pages.ts'
import { eventsOf, formOn, openPortal, PLANS, press, read } from './portal-scene.ts'

const LOGO = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="10" height="10"/></svg>')}`

const test = suite('pages/portal/portal-handlers')

test('shows each subscription with its state and its next payment, the card, and receipts', async () => {
  const scene = await openPortal()
  const { status, body } = await scene.hosted.get(scene.path)
  assert.is(status, 200)
  const text = textOf(body)
  assert.match(text, 'Your account Monthly rent €1,200.00 every month It is active. Next payment')
  for (const part of ['Visa', 'Invoice INV-000001']) assert.match(text, part)
  assert.match(body, `href="https://shop.example/account?portal=${scene.session.id}"`)
  const [, pdf = ''] = /href="([^"]+receipt\.pdf)"/.exec(body) ?? []
  assert.is((await scene.hosted.get(pdf)).headers['Content-Type'], 'application/pdf')
})

test('replaces the card on the page of a card session that returns to the portal', async () => {
  const scene = await openPortal()
  const { hosted, path, customer, sandbox } = scene
  const created = await eventsOf(scene, () => press(scene, path))
  assert.equal(
    created.map(({ type, request }) => [type, request?.id.startsWith('req_page_')]),
    [['card_session.created', true]],
  )
  const [session] = (await sandbox.call(api.cardSessions.list, { customer })).data
  assert.is(session?.return_url, scene.session.url)
  const card = new URL(session?.url ?? '').pathname
  await hosted.submit(card, { ...VISA, number: '5555555555554444' })
  assert.match((await hosted.follow(`${card}/done`)).body, `url=${scene.session.url}"`)
  assert.match(textOf((await hosted.get(path)).body), 'Mastercard')
})

test('changes the plan after a preview, and charges exactly the previewed amount', async () => {
  const scene = await openPortal({}, {}, 15)
  const { hosted, sandbox, part, subscription } = scene
  const chosen = await hosted.serve({ path: part('change'), query: 'plan=0&quantity=3', accept: 'text/html' })
  assert.is(locationOf(chosen), part('change/0/3'))
  const preview = await hosted.get(part('change/0/3'))
  const [, due = ''] = /Total due today (€[\d,.]+)/.exec(textOf(preview.body)) ?? []
  assert.match(textOf(preview.body), 'Large €7,200.00 every month')
  // Real time passes while the customer reads the page.
  await sandbox.advance(90)
  const form = formOn(preview, part('change/0/3'))
  const events = await eventsOf(scene, () => hosted.serve({ method: 'POST', path: part('change/0/3'), form }))
  assert.equal(
    events.map(({ type }) => type),
    [
      'subscription.updated',
      ...['invoice_item.created', 'invoice_item.created', 'invoice.created'],
      ...['invoice_item.updated', 'invoice_item.updated', 'invoice.finalized'],
      ...['payment.created', 'payment.succeeded', 'invoice.paid'],
    ],
  )
  assert.is(new Set(events.map(({ request }) => request?.id)).size, 1)
  const [invoice] = (await sandbox.call(api.invoices.list, { subscription })).data
  assert.is(due.replace(/[€,.]/g, ''), String(invoice?.amount_paid))
  const { items } = await read(scene)
  assert.equal(
    items.map(({ description, quantity, price_data: { amount } }) => [description, quantity, amount]),
    [['Large', 3, 200_000]],
  )
})

test('states that nothing is charged today while collection is paused', async () => {
  const scene = await openPortal({}, {}, 1)
  await scene.sandbox.call(api.subscriptions.update, {
    id: scene.subscription,
    pause_collection: { behavior: 'void' },
  })
  const { body } = await scene.hosted.get(scene.part('change/0/3'))
  assert.match(textOf(body), 'Nothing is charged today. Confirm the change')
})

test('a plan with another interval starts and bills a new period immediately', async () => {
  const scene = await openPortal()
  await press(scene, scene.part('change/1/1'))
  const { interval, period_index, items } = await read(scene)
  assert.equal([interval, period_index, items[0]?.price_data.amount], ['year', 0, 1_000_000])
  assert.match(textOf((await scene.hosted.get(scene.path)).body), /It is active\. Year €10,000\.00 Next/)
})

test('a plan change whose charge is declined changes nothing and shows the reason', async () => {
  const scene = await openPortal({}, { card: 'renewal_no_funds' }, 1)
  const { hosted, part } = scene
  const events = await eventsOf(scene, async () => {
    const answer = await press(scene, part('change/0/1'))
    const text = textOf((await hosted.follow(locationOf(answer))).body)
    assert.match(text, 'Card declined')
    assert.match(text, 'Your subscription was not changed.')
    assert.match(text, 'Confirm the change')
  })
  assert.equal(events, [])
  const form = formOn(await hosted.get(part('change/0/1')), part('change/0/1'))
  assert.is((await hosted.post(part('change/0/1'), form)).status, 402)
})

test('a plan change whose charge requires 3-D Secure changes nothing', async () => {
  const scene = await openPortal({}, { card: 'renewal_sca' }, 1)
  const { headers } = await press(scene, scene.part('change/0/1'))
  const text = textOf((await scene.hosted.follow(headers['Location'] ?? '')).body)
  assert.match(text, 'Payment not confirmed Your subscription was not changed.')
  assert.is((await read(scene)).items[0]?.price_data.amount, 100_000)
})

test('a plan change without a saved card changes nothing', async () => {
  const scene = await openPortal({}, {}, 1)
  const { sandbox, hosted, part, path } = scene
  const { default_payment_method } = await read(scene)
  await sandbox.call(api.paymentMethods.detach, { id: default_payment_method ?? '' })
  assert.match(textOf((await hosted.get(path)).body), 'There is no saved card.')
  const text = textOf((await hosted.follow(locationOf(await press(scene, part('change/0/1'))))).body)
  assert.match(text, 'Payment failed There is no saved card. Your subscription was not changed.')
  assert.is((await read(scene)).items[0]?.price_data.amount, 100_000)
})

test('shows the form again when the preview is no longer valid', async () => {
  const scene = await openPortal()
  const { hosted, part, subscription, sandbox } = scene
  const form = formOn(await hosted.get(part('change/0/1')), part('change/0/1'))
  await toNextPeriod(sandbox, subscription)
  const session = await sandbox.call(api.portalSessions.retrieve, { id: scene.session.id })
  assert.is(session.status, 'expired')
  const open = await openPortal()
  const old = formOn(await open.hosted.get(open.part('change/0/1')), open.part('change/0/1'))
  await open.sandbox.call(api.subscriptions.update, {
    id: open.subscription,
    items: [{ id: (await read(open)).items[0]?.id ?? '', quantity: 2 }],
  })
  const answer = await open.hosted.post(open.part('change/0/1'), old)
  assert.is(answer.status, 422)
  assert.match(textOf(answer.body), 'have changed')
  assert.is((await hosted.post(part('change/0/1'), form)).status, 410)
})

test('rejects a quantity that is not a whole number from 1 to 999999', async () => {
  const { hosted, part } = await openPortal({ plans: [{ amount: 900_000_000_000 }] })
  for (const quantity of ['0', '-1', '1.5', '1000000', 'x', '']) {
    const page = await hosted.serve({ path: part('change'), query: `plan=0&quantity=${quantity}` })
    assert.is(page.status, 422, quantity)
    assert.match(page.body, 'id="quantity-error"')
  }
  const arabic = await hosted.serve({
    path: part('change'),
    query: `plan=0&quantity=${encodeURIComponent('٢')}`,
  })
  assert.is(locationOf(arabic), part('change/0/2'))
  assert.is((await hosted.get(part('change/0/999999'))).status, 422)
})

test('cancels at the end of the period, and resumes the subscription', async () => {
  const scene = await openPortal()
  const { hosted, part, path, sandbox } = scene
  assert.match(textOf((await hosted.get(part('cancel'))).body), 'The subscription ends on')
  const canceled = await eventsOf(scene, async () => {
    assert.is(locationOf(await press(scene, part('cancel'))), `${path}?done=1`)
  })
  assert.equal(
    canceled.map(({ type, request }) => [type, request?.id.startsWith('req_page_')]),
    [['subscription.updated', true]],
  )
  assert.match(textOf((await hosted.follow(`${path}?done=1`)).body), 'Your change is saved. Monthly rent')
  assert.match(textOf((await hosted.get(path)).body), 'It is canceled and ends on')
  assert.is((await hosted.get(part('cancel'))).status, 404)
  const resumed = await press(scene, part('resume'), path)
  assert.is((await sandbox.events()).at(-1)?.request?.id, resumed.headers['Request-Id'])
  assert.is((await read(scene)).cancel_at_period_end, false)
})

test('cancels immediately when the portal feature is configured that way', async () => {
  const scene = await openPortal({ cancel: 'now' })
  assert.match(textOf((await scene.hosted.get(scene.part('cancel'))).body), 'ends now, without a refund')
  const events = await eventsOf(scene, () => press(scene, scene.part('cancel')))
  assert.equal(
    events.map(({ type }) => type),
    ['subscription.canceled'],
  )
  assert.match(textOf((await scene.hosted.get(scene.path)).body), 'It ended on')
})

test('neither shows nor accepts the form of a disabled feature', async () => {
  const off = { cards: false, cancel: 'off', plans: 'off', invoices: false } as const
  const scene = await openPortal()
  const { hosted, part, path, sandbox, session } = scene
  const forms = {
    [path]: formOn(await hosted.get(path), path),
    [part('cancel')]: formOn(await hosted.get(part('cancel')), part('cancel')),
    [part('change/0/1')]: formOn(await hosted.get(part('change/0/1')), part('change/0/1')),
  }
  await sandbox.call(api.subscriptions.update, { id: scene.subscription, cancel_at_period_end: true })
  forms[part('resume')] = formOn(await hosted.get(path), part('resume'))
  await sandbox.call(api.subscriptions.update, { id: scene.subscription, cancel_at_period_end: false })
  const put = { ...session, features: off }
  await sandbox.store.transact(async () => ({ result: null, writes: [{ put }], events: [] }))
  const { body } = await hosted.get(path)
  for (const text of ['<form method="post"', 'Cancel subscription', 'Change plan', 'INV-', 'Current card'])
    assert.not.match(body, text)
  for (const page of ['cancel', 'change', 'change/0/1']) assert.is((await hosted.get(part(page))).status, 404)
  const events = await eventsOf(scene, async () => {
    for (const [action, form] of Object.entries(forms)) await hosted.post(action, form)
  })
  assert.equal(events, [])
})

test('rejects the subscription of another customer, and forms of other pages', async () => {
  const scene = await openPortal()
  const { hosted, sandbox, path, part } = scene
  const other = await newCustomer(sandbox, 'eve@example.com')
  const { id } = await subscribe(sandbox, { customer: other.id })
  const form = formOn(await hosted.get(part('cancel')), part('cancel'))
  for (const action of ['cancel', 'change/0/1', 'resume'])
    assert.is((await hosted.post(`${path}/subscriptions/${id}/${action}`, form)).status < 500, true)
  for (const action of ['cancel', 'change'])
    assert.is((await hosted.get(`${path}/subscriptions/${id}/${action}`)).status, 404)
  await hosted.post(part('change/0/1'), form)
  assert.equal((await sandbox.call(api.subscriptions.retrieve, { id })).cancel_at_period_end, false)
  assert.is((await read(scene)).items[0]?.price_data.amount, 100_000)
})

test('applies a form once, and redirects a repeated form to the same card page', async () => {
  const scene = await openPortal()
  const { hosted, path } = scene
  const form = formOn(await hosted.get(path), path)
  const answers = await Promise.all([1, 2].map(() => hosted.post(path, form)))
  assert.is(locationOf(answers[0] ?? { headers: {} }), locationOf(answers[1] ?? { headers: {} }))
  const preview = formOn(await hosted.get(scene.part('change/0/1')), scene.part('change/0/1'))
  const events = await eventsOf(scene, () =>
    Promise.all(Array.from({ length: 20 }, () => hosted.post(scene.part('change/0/1'), preview))),
  )
  assert.is(events.filter(({ type }) => type === 'payment.succeeded').length, 1)
})

test('shows that the link has expired after an hour, and after an expiry by the API', async () => {
  const late = await openPortal()
  await late.sandbox.advance(3599)
  assert.is((await late.hosted.get(late.path)).status, 200)
  const form = formOn(await late.hosted.get(late.path), late.path)
  await late.sandbox.advance(1)
  assert.is((await late.hosted.get(late.path)).status, 410)
  assert.is((await late.hosted.post(late.path, form)).status, 410)
  const ended = await openPortal()
  await ended.sandbox.call(api.portalSessions.expire, { id: ended.session.id })
  const { status, body } = await ended.hosted.get(ended.path)
  assert.is(status, 410)
  assert.match(textOf(body), /This link has expired Go back to shop\.example/)
})

test('offers no plan in another currency, no current plan, and no plans for a subscription with several items', async () => {
  const plans = [
    { description: 'Monthly rent', amount: 100_000 },
    { description: 'Yen', amount: 1000, currency: 'jpy' },
    ...PLANS,
  ]
  const one = await openPortal({ plans })
  const { body } = await one.hosted.get(one.part('change'))
  const keys = [...body.matchAll(/<option value="(\w+)" ?(?:selected)?>[^<]*·/g)].map(([, key]) => key)
  assert.equal(keys, ['current', '2', '3'])
  const items = [
    { price_data: { amount: 1 }, description: 'a' },
    { price_data: { amount: 1 }, description: 'b' },
  ]
  const several = await openPortal({ plans }, { items })
  assert.not.match((await several.hosted.get(several.path)).body, 'Change plan')
})

test('the portal and its card page use the language and the branding of the session', async () => {
  const { sandbox, hosted, customer } = await openPortal()
  const branding = { business_name: 'Harbor Gym', brand_color: '#0a7d55', logo: LOGO }
  const { url } = await sandbox.call(api.portalSessions.create, { customer, locale: 'de', branding })
  const path = pathOf({ url })
  const page = await hosted.get(path)
  for (const text of ['<html lang="de"', 'Harbor Gym', '#0a7d55']) assert.match(page.body, text)
  const [, logo = ''] = /class="logo" src="([^"]+)"/.exec(page.body) ?? []
  assert.is((await hosted.get(logo)).headers['Content-Type'], 'image/svg+xml')
  const card = await hosted.follow(locationOf(await hosted.post(path, formOn(page, path))))
  for (const text of ['<html lang="de"', 'Harbor Gym']) assert.match(card.body, text)
})

test('keeps the chosen language, also when the customer returns from the card page', async () => {
  const { hosted, path, sandbox, customer, session } = await openPortal()
  const page = await hosted.follow(`${path}?lang=fr`)
  const form = formOn(page, path)
  const answer = await hosted.serve({ method: 'POST', path, query: 'lang=fr', form })
  assert.match(locationOf(answer), /^\/cards\/cd_sess_\w+\?lang=fr$/)
  const [card] = (await sandbox.call(api.cardSessions.list, { customer })).data
  assert.is(card?.return_url, `${session.url}?lang=fr`)
})

test.run()
