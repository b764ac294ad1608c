import { card, HostedPages, locationOf, pathOf, type ServedPage, tokenIn } from './hosted-pages.ts'

const LONG_WORD = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen'.repeat(4)
const LARGE_AMOUNT = 999_999_999_999

const twentyItems = Array.from({ length: 20 }, (_, index) => ({
  description: `Parking space ${index + 1}`,
  price_data: { amount: 8000 + index, tax_percent: index % 2 === 0 ? 20 : 5.5 },
}))

async function renderLocal(): Promise<ServedPage> {
  const hosted = new HostedPages()
  hosted.pages.isLocal = true
  const path = pathOf(await hosted.payment({ description: 'Workshop' }))
  const form_token = tokenIn((await hosted.get(path)).body)
  // A decline, so that the page has events.
  return hosted.follow(await hosted.browse(path, { ...card('4000000000000002'), form_token }))
}

const longPayment = (hosted: HostedPages) =>
  hosted.payment({ amount: LARGE_AMOUNT, currency: 'kwd', description: LONG_WORD })

/** Pages with much text, long words and large amounts. */
export const LAYOUT_SCENES: readonly (readonly [name: string, render: () => Promise<ServedPage>])[] = [
  [
    'twenty-items',
    async () => {
      const hosted = new HostedPages()
      return hosted.get(pathOf(await hosted.checkout({ items: twentyItems })))
    },
  ],
  [
    'sent-invoices',
    async () => {
      const hosted = new HostedPages()
      return hosted.get(pathOf(await hosted.checkout({ collection_method: 'send_invoice' })))
    },
  ],
  [
    'long-words',
    async () => {
      const hosted = new HostedPages()
      return hosted.get(pathOf(await longPayment(hosted)))
    },
  ],
  [
    'long-words-in-items',
    async () => {
      const hosted = new HostedPages()
      const items = [{ description: LONG_WORD, price_data: { amount: LARGE_AMOUNT } }]
      return hosted.get(pathOf(await hosted.checkout({ items }, { currency: 'idr' })))
    },
  ],
  [
    'long-words-in-three-d-secure',
    async () => {
      const hosted = new HostedPages()
      const response = await hosted.submit(pathOf(await longPayment(hosted)), card('4000000000003220'))
      return hosted.get(locationOf(response))
    },
  ],
  ['local', renderLocal],
]
