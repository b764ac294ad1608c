import { api } from '../../../src/api/api.ts'
import { assert, suite } from '../../support/suite.ts'
import { textOf } from '../hosted-pages.ts'
import { openPortal } from './portal-scene.ts'

const test = suite('pages/portal/portal-handlers discounts')

test('names the discount above the next payment, and includes it in the preview of another plan', async () => {
  const { hosted, path, part, sandbox, subscription } = await openPortal({}, {}, 15)
  const terms = { name: 'Half price', percent_off: 50, duration: 'forever' } as const
  const { id: coupon } = await sandbox.call(api.coupons.create, terms)
  await sandbox.call(api.subscriptions.update, { id: subscription, discount: { coupon } })
  assert.match(
    textOf((await hosted.get(path)).body),
    /Discount Half price -€500\.00 Next payment €600\.00 on/,
  )
  assert.match(textOf((await hosted.get(part('change/0/3'))).body), 'Discount Half price')
})

test.run()
