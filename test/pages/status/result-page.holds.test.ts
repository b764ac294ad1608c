import { assert, suite } from '../../support/suite.ts'
import {
  capturePart,
  expire,
  openHold,
  release,
  renderHold,
  reserveAfterThreeDSecure,
  reserveOnPage,
} from '../hold-scenes.ts'
import { inLanguage } from '../hosted-pages.ts'

const test = suite('pages/result-page holds')

const RESERVED = [
  'Amount reserved',
  'Deposit for a bicycle',
  'nothing has been charged yet',
  '€45.00',
  'Reserved until',
  '•••• ',
]
const RELEASED = ['Reservation released', 'nothing was charged', '€45.00', '•••• ']
const RECEIPT = ['Paid on', '€30.00', 'receipt.pdf']
const NO_RECEIPT = ['Paid on', 'receipt.pdf', 'Payment received', 'Already paid']

const ROWS: readonly (readonly [
  name: string,
  render: ReturnType<typeof renderHold>,
  shown: readonly string[],
  absent: readonly string[],
])[] = [
  [
    'an open session',
    renderHold(openHold),
    ['Reserve €45.00', 'To reserve', 'only reserved'],
    ['Pay €45.00'],
  ],
  ['a reserved amount', renderHold(reserveOnPage), RESERVED, NO_RECEIPT],
  ['a captured part', renderHold(reserveOnPage, capturePart), ['Already paid', ...RECEIPT], ['€45.00']],
  ['a canceled reservation', renderHold(reserveOnPage, release), RELEASED, NO_RECEIPT],
  ['an expired reservation', renderHold(reserveOnPage, expire), RELEASED, NO_RECEIPT],
  ['a reservation after 3-D Secure', renderHold(reserveAfterThreeDSecure), RESERVED, NO_RECEIPT],
  [
    'a captured part after 3-D Secure',
    renderHold(reserveAfterThreeDSecure, capturePart),
    ['Payment received', ...RECEIPT],
    ['€45.00'],
  ],
  [
    'a canceled reservation after 3-D Secure',
    renderHold(reserveAfterThreeDSecure, release),
    RELEASED,
    NO_RECEIPT,
  ],
]

for (const [name, render, shown, absent] of ROWS) {
  test(`the page of ${name} shows ${shown[0]}`, async () => {
    const { status, body } = await render()
    assert.is(status, 200)
    for (const text of shown) assert.match(body, text)
    for (const text of absent) assert.not.match(body, text)
  })
}

test('a reserved amount has no PDF receipt, and the page of a canceled reservation does not call it unconfirmed', async () => {
  const hold = await reserveOnPage()
  const { status, headers } = await hold.hosted.get(`${hold.path}/receipt.pdf`)
  assert.equal([status, headers['Location']], [303, hold.path])
  await release(hold)
  const ended = await hold.hosted.get(`/3ds/${hold.payment}`)
  assert.not.match(ended.body, 'canceled before this was confirmed')
  const api = await reserveAfterThreeDSecure()
  await release(api)
  assert.not.match((await api.hosted.get(`/3ds/${api.payment}`)).body, 'before it was confirmed')
})

test('the page mentions the reservation in the language of the customer', async () => {
  await inLanguage('de', async () => {
    assert.match((await renderHold(openHold)()).body, 'reservieren')
    assert.match((await renderHold(reserveOnPage)()).body, 'Betrag reserviert')
  })
})

test.run()
