import { assert, suite } from '../../support/suite.ts'
import { CUSTOMER_SCENES } from '../scenes.ts'

const test = suite('forms/card-form')

for (const [name, render] of CUSTOMER_SCENES) {
  test(`the page ${name} has one expiry field per card form`, async () => {
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

test.run()
