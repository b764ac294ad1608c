import { assert, suite } from '../../support/suite.ts'
import { HostedPages, pathOf, VISA } from '../hosted-pages.ts'
import { CUSTOMER_SCENES } from '../scenes.ts'

const test = suite('forms/card-form')

for (const [name, render] of CUSTOMER_SCENES) {
  test(`the page ${name} has one expiry field if it has a card form`, async () => {
    const { body } = await render()
    const fields = [...body.matchAll(/<input [^>]*name="(number|exp\w*)"[^>]*>/g)]
    assert.equal(
      fields.map(([, field]) => field),
      body.includes('name="number"') ? ['number', 'expiry'] : [],
    )
    const expiry = fields[1]?.[0]
    if (expiry !== undefined)
      assert.match(
        expiry,
        /inputmode="numeric".* autocomplete="cc-exp"|autocomplete="cc-exp".* inputmode="numeric"/,
      )
  })
}

test('still accepts the separate fields for month and year', async () => {
  const { number = '', cvc = '' } = VISA
  for (const expiry of [
    { exp_month: '1', exp_year: '30' },
    { exp_month: '01', exp_year: '2030' },
    { exp_month: '٠١', exp_year: '٣٠' },
  ]) {
    const hosted = new HostedPages()
    const path = pathOf(await hosted.payment({ save_payment_method: true }))
    assert.is((await hosted.submit(path, { number, cvc, ...expiry })).status, 303)
    const { data } = await hosted.runtime.store.list('payment_methods', { limit: 1 })
    assert.equal([data[0]?.card?.exp_month, data[0]?.card?.exp_year], [1, 2030])
  }
  const hosted = new HostedPages()
  const path = pathOf(await hosted.payment())
  const { status, body } = await hosted.submit(path, { number, cvc: '1', exp_month: '13', exp_year: '30' })
  assert.is(status, 422)
  assert.match(body, 'id="expiry-error">Enter the expiry month as a number from 1 to 12.')
})

test.run()
