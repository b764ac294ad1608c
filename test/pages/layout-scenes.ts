import { card, locationOf, onCheckout, onPayment, open, type ServedPage, tokenIn } from './hosted-pages.ts'

const LONG_WORD = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen'.repeat(4)
const LARGE_AMOUNT = 999_999_999_999

const twentyItems = Array.from({ length: 20 }, (_, index) => ({
  description: `Parking space ${index + 1}`,
  price_data: { amount: 8000 + index, tax_percent: index % 2 === 0 ? 20 : 5.5 },
}))

const LONG_PAYMENT = { amount: LARGE_AMOUNT, currency: 'kwd', description: LONG_WORD }

/** Pages with much text, long words and large amounts. */
export const LAYOUT_SCENES: readonly (readonly [name: string, render: () => Promise<ServedPage>])[] = [
  ['twenty-items', onCheckout(open, { items: twentyItems })],
  ['sent-invoices', onCheckout(open, { collection_method: 'send_invoice' })],
  ['long-words', onPayment(open, LONG_PAYMENT)],
  [
    'long-words-in-items',
    onCheckout(
      open,
      { items: [{ description: LONG_WORD, price_data: { amount: LARGE_AMOUNT } }] },
      { currency: 'idr' },
    ),
  ],
  [
    'long-words-in-three-d-secure',
    onPayment(
      async (hosted, path) => hosted.get(locationOf(await hosted.submit(path, card('4000000000003220')))),
      LONG_PAYMENT,
    ),
  ],
  [
    'local',
    onPayment(
      async (hosted, path) => {
        hosted.pages.isLocal = true
        const form_token = tokenIn((await hosted.get(path)).body)
        // The card is declined, so that the page has events.
        return hosted.follow(await hosted.browse(path, { ...card('4000000000000002'), form_token }))
      },
      { description: 'Workshop' },
    ),
  ],
]
