import { HostedPages, pathOf, type ServedPage } from './hosted-pages.ts'

/** The payment method types of a session with a wallet. */
export const WALLET_TYPES = { payment_method_types: ['card', 'wallet'] } as const

const renderPayment = (part: string) => async () => {
  const hosted = new HostedPages()
  const session = await hosted.payment({ ...WALLET_TYPES, description: 'Workshop' })
  return hosted.get(`${pathOf(session)}${part}`)
}

/** The pages of sessions with a wallet. */
export const WALLET_SCENES: readonly (readonly [name: string, render: () => Promise<ServedPage>])[] = [
  ['wallet-payment', renderPayment('')],
  [
    'wallet-subscription',
    async () => {
      const hosted = new HostedPages()
      return hosted.get(pathOf(await hosted.checkout({}, WALLET_TYPES)))
    },
  ],
  ['wallet-sheet', renderPayment('/wallet')],
  [
    'wallet-declined',
    async () => {
      const hosted = new HostedPages()
      const session = await hosted.payment(WALLET_TYPES)
      return hosted.submit(`${pathOf(session)}/wallet`, { answer: 'decline' })
    },
  ],
]
