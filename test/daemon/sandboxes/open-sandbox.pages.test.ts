import { createSeededIdGenerators } from '../../../src/daemon/reproducible.ts'
import { cardFields, openForm, sendForm } from '../../support/page-forms.ts'
import { sendRequest } from '../../support/raw-http.ts'
import { assert, suite } from '../../support/suite.ts'
import { type CreatedSandbox, type ServedSandboxes, serveSandboxes } from './serve-sandboxes.ts'

const VISA = '4242424242424242'
const DECLINED = '4000000000000002'

interface Context {
  served: ServedSandboxes
  /** The page of a session in each of two sandboxes. */
  pages: readonly [one: string, other: string]
  other: CreatedSandbox
}

const test = suite<Context>('daemon/sandboxes/open-sandbox.pages')

test.before.each(async (context) => {
  const newIds = (variant: string) => createSeededIdGenerators(`seed${variant}`)
  context.served = await serveSandboxes({ newIds })
  const one = await context.served.create()
  context.other = await context.served.create()
  context.pages = [await openSession(context.served, one), await openSession(context.served, context.other)]
  const [ownPath, otherPath] = context.pages.map((url) => new URL(url).pathname.replace(/^\/sbx_\w+/, ''))
  assert.is(ownPath, otherPath)
})

test.after.each(async ({ served }) => {
  await served.close()
})

/** Creates a session and returns the address of its page. */
async function openSession({ post }: ServedSandboxes, { key }: CreatedSandbox): Promise<string> {
  const customer = JSON.parse((await post(key, '/v1/customers', { email: 'ada@example.com' })).text)
  const session = await post(key, '/v1/payment_sessions', {
    ...{ amount: 500, currency: 'eur', payment_method_types: ['card'], customer: customer.id },
    return_url: 'https://shop.example/done',
  })
  return JSON.parse(session.text).url
}

test('a form token of one sandbox is not accepted in another sandbox', async ({ served, pages, other }) => {
  const [ownPage, otherPage] = pages
  const token = await openForm(ownPage)
  await sendForm(otherPage, token, cardFields(VISA))
  const payments = await served.get(other.key, '/v1/payments')
  assert.equal(JSON.parse(payments.text).data, [])
  const paid = await sendForm(ownPage, token, cardFields(VISA))
  assert.match(String(paid.headers['location']), /result|done|complete/)
})

test('a form that a page shows again after a decline cannot be decrypted in another sandbox', async ({
  pages,
}) => {
  const [ownPage, otherPage] = pages
  const { headers } = await sendForm(ownPage, await openForm(ownPage), cardFields(DECLINED), {
    Accept: 'text/html',
  })
  const { search } = new URL(String(headers['location']), ownPage)
  assert.is.not(search, '')
  assert.match((await sendRequest(`${ownPage}${search}`)).text, /value="Ada"/)
  assert.not.match((await sendRequest(`${otherPage}${search}`)).text, /value="Ada"/)
})

test.run()
