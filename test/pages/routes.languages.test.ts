import { api } from '../../src/api/api.ts'
import { LANGUAGES, negotiateLanguage } from '../../src/pages/languages/language.ts'
import { START } from '../support/rule-context.ts'
import { newCardSession } from '../support/samples.ts'
import { CHECKOUT_URL, createSandbox } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'
import { challengeInvoice, createClockSandbox, newCheckout, updateClock } from './clock-sandbox.ts'
import {
  card,
  type Form,
  HostedPages,
  invoicePathOf,
  locationOf,
  pathOf,
  RETURN_URL,
  renderFailurePage,
  type ServedPage,
  tokenIn,
  VISA,
} from './hosted-pages.ts'
import { createSentInvoice } from './sent-invoice.ts'

const test = suite('routes/languages')

const DECLINED = card('4000000000000002')
const CHALLENGED = card('4000000000003220')
const SLOW = card('4000009000000060')

/** Returns the language of a page; the attributes, the header and the select of the page must agree. */
function languageOf({ body, headers }: ServedPage): string {
  const [, tag = '', direction] = /<html lang="(.*?)" dir="(.*?)">/.exec(body) ?? []
  const [base] = tag.split('-')
  assert.is(direction, base === 'ar' ? 'rtl' : 'ltr')
  assert.equal([headers['Content-Language'], headers['Vary']], [tag, 'Accept-Language'])
  const selected = [...body.matchAll(/<option value="(\w+)" lang="\1" selected>/g)].map(([, value]) => value)
  assert.equal(selected, [base])
  return tag
}

/** The language of the page for each combination of chosen language, session locale and Accept-Language header. */
const PRECEDENCE = `
  lang  locale  accepted  page
  -     -       -         en
  -     -       fr        fr
  -     auto    fr        fr
  -     ja      fr        ja
  -     fr      fr-CA     fr-CA
  de    -       fr        de
  de    auto    -         de
  de    ja      fr        de
  de    ja      de-CH     de-CH
  xx    ja      fr        ja
  xx    -       fr        fr
  auto  ja      fr        ja
`
const [, ...rows] = PRECEDENCE.trim()
  .split('\n')
  .map((line) =>
    line
      .trim()
      .split(/ +/)
      .map((cell) => (cell === '-' ? undefined : cell)),
  )

for (const [lang, locale, acceptLanguage, tag] of rows) {
  test(`shows ${tag} for ?lang=${lang}, the locale ${locale} and Accept-Language ${acceptLanguage}`, async () => {
    const hosted = new HostedPages()
    const session = await hosted.payment(locale === undefined ? {} : { locale: locale as 'auto' })
    const query = lang === undefined ? '' : `lang=${lang}`
    const page = { path: pathOf(session), query, ...(acceptLanguage !== undefined && { acceptLanguage }) }
    const answer = await hosted.serve(page)
    assert.is(languageOf(answer), tag)
    const suffix = lang === 'de' ? '?lang=de' : ''
    assert.match(answer.body, `action="${pathOf(session)}${suffix}"`)
  })
}

test('returns the locale of a session unchanged, or null without a locale', async () => {
  const sandbox = createSandbox()
  assert.is((await newCardSession(sandbox)).locale, null)
  for (const locale of ['auto', ...LANGUAGES] as 'auto'[]) {
    assert.is((await newCardSession(sandbox, { locale })).locale, locale)
  }
})

/** A browser that posts forms to their actions and opens redirects; every page must be in German. */
class Browsing {
  readonly hosted: HostedPages
  url: string
  body = ''

  constructor(hosted: HostedPages, path: string) {
    this.hosted = hosted
    this.url = `${path}?lang=de`
  }

  async open(url = this.url): Promise<void> {
    const response = await this.hosted.follow(url)
    if (response.status === 303) return this.#redirect(locationOf(response))
    assert.is(languageOf(response), 'de', url)
    const own = [...response.body.matchAll(/(?:href|action|data-next|url)="?=?([^";]*)"/g)].map(
      ([, to]) => to,
    )
    for (const to of own) if (to?.startsWith('/')) assert.match(to, /\?lang=de(&|$)/)
    ;[this.url, this.body] = [url, response.body]
  }

  async submit(form: Form): Promise<void> {
    const [, action = ''] = /method="post" action="([^"]*)"/.exec(this.body) ?? []
    const [path = '', query = ''] = action.split('?')
    const sent = { ...form, form_token: tokenIn(this.body) }
    await this.#redirect(
      locationOf(await this.hosted.serve({ method: 'POST', path, query, form: sent, accept: 'text/html' })),
    )
  }

  #redirect(location: string): Promise<void> {
    assert.match(location, /\?lang=de(&again=|$)/)
    return this.open(location)
  }
}

async function browse(path: string, hosted: HostedPages): Promise<Browsing> {
  const browsing = new Browsing(hosted, path)
  await browsing.open()
  return browsing
}

test('keeps the chosen language after a decline, invalid fields, 3-D Secure and the payment', async () => {
  const hosted = new HostedPages()
  for (const session of [await hosted.payment(), await hosted.checkout()]) {
    const browsing = await browse(pathOf(session), hosted)
    await browsing.submit({ ...VISA, number: '42' })
    assert.match(browsing.body, negotiateLanguage('de').t('checkDetails'))
    await browsing.submit(DECLINED)
    assert.match(browsing.body, 'Karte abgelehnt')
    for (const [answer, part] of [
      ['reject', '/attempts/'],
      ['approve', '/done'],
    ] as const) {
      await browsing.submit(CHALLENGED)
      assert.match(browsing.url, '/3ds/')
      await browsing.submit({})
      await browsing.submit({ answer })
      assert.match(browsing.url, part)
    }
    await browsing.open(`${pathOf(session)}?lang=de`)
  }
})

test('keeps the chosen language while a payment is processing and after too many declines', async () => {
  const hosted = new HostedPages()
  const slow = await browse(pathOf(await hosted.payment()), hosted)
  await slow.submit(SLOW)
  assert.match(slow.body, /data-next="[^"]*\/done\?lang=de"/)
  const declined = await browse(pathOf(await hosted.payment()), hosted)
  for (let count = 0; count < 11; count += 1) await declined.submit(DECLINED)
  assert.match(declined.body, 'Zurück zum Formular')
})

test('keeps the chosen language on the pages of card sessions and invoices', async () => {
  const sandbox = createSandbox()
  const hosted = new HostedPages(CHECKOUT_URL, sandbox.runtime)
  const updating = await browse(pathOf(await newCardSession(sandbox)), hosted)
  await updating.submit(VISA)
  assert.match(updating.url, '/done?lang=de')
  const plain = new HostedPages()
  const { hosted_invoice_url } = await createSentInvoice(plain)
  const invoice = await browse(pathOf({ url: hosted_invoice_url ?? '' }), plain)
  await invoice.submit(CHALLENGED)
  await invoice.submit({ answer: 'reject' })
  await invoice.open(/href="([^"]*)"[^>]*>Zur Rechnung/.exec(invoice.body)?.[1])
  await invoice.submit(VISA)
  assert.match(invoice.body, 'Rechnung bezahlt')
})

test('keeps the chosen language while the test clock advances', async () => {
  const clocked = await createClockSandbox(START)
  const session = await newCheckout(clocked)
  const browsing = await browse(pathOf(session), clocked.hosted)
  await updateClock(clocked, { status: 'advancing' })
  await browsing.submit(VISA)
  await browsing.open(`${pathOf(session)}?lang=de`)
})

test('keeps the chosen language in the link that shows the events in the test bar', async () => {
  const hosted = new HostedPages()
  hosted.pages.isLocal = true
  const path = pathOf(await hosted.payment())
  assert.match((await hosted.follow(`${path}?lang=de`)).body, `href="${path}?lang=de&amp;developer"`)
  assert.match((await hosted.follow(path)).body, `href="${path}?developer"`)
})

test('does not add the chosen language to the return_url', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.payment())
  const form_token = tokenIn((await hosted.get(path)).body)
  await hosted.serve({ method: 'POST', path, query: 'lang=de', form: { ...VISA, form_token }, accept: '*/*' })
  const done = await hosted.serve({ path: `${path}/done`, query: 'lang=de', accept: '*/*' })
  assert.is(locationOf(done), RETURN_URL)
})

test('a change of the language keeps the notice of the form and the open test bar, and no other parameter', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.payment())
  const form_token = tokenIn((await hosted.get(path)).body)
  const location = await hosted.browse(path, { ...DECLINED, form_token })
  const { body } = await hosted.follow(`${location}&developer&lang=ja&x=%22%3E`)
  const [, form = ''] = /<footer.*?<form>(.*)<\/form>/s.exec(body) ?? []
  const kept = [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)]
  assert.equal(
    kept.map(([, name, value]) => `${name}=${value}`),
    [location.slice(path.length + 1), 'developer='],
  )
  const other = await hosted.follow(`${location}&lang=fr`)
  assert.match(other.body, 'Carte refusée')
})

test('shows 3-D Secure and invoice pages in the locale of the session', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.payment({ locale: 'ja' }))
  const bank = locationOf(await hosted.submit(path, CHALLENGED))
  for (const page of [path, bank]) assert.is(languageOf(await hosted.get(page)), 'ja')
  const clocked = await createClockSandbox(START)
  const { path: challenge, invoice } = await challengeInvoice(clocked)
  const { sandbox } = clocked
  const { data } = await sandbox.call(api.checkoutSessions.list, {})
  const put = { ...data[0], locale: 'ar' } as const
  await sandbox.store.transact(async () => ({ result: null, writes: [{ put: put as never }], events: [] }))
  for (const page of [challenge, invoicePathOf(invoice)]) {
    assert.is(languageOf(await clocked.hosted.get(page)), 'ar')
    assert.is(languageOf(await clocked.hosted.follow(`${page}?lang=es`)), 'es')
  }
  await updateClock(clocked, { status: 'advancing' })
  assert.is(languageOf(await clocked.hosted.get(pathOf({ url: put.url ?? '' }))), 'ar')
})

test('shows error pages in the chosen language, and the language form on each of them', async () => {
  const hosted = new HostedPages()
  const session = pathOf(await hosted.payment())
  for (const [method, path] of [
    ['GET', '/none'],
    ['GET', '/sessions/none'],
    ['POST', `${session}/done`],
  ] as const) {
    assert.is(languageOf(await hosted.serve({ method, path, query: 'lang=pt' })), 'pt')
  }
  for (const status of [400, 403, 413, 429, 500, 503]) {
    const request = { query: 'lang=es', acceptLanguage: 'es-MX' }
    assert.is(languageOf(renderFailurePage(status, { brand: { name: null } }, request)), 'es-MX')
  }
})

test.run()
