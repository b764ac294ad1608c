import { onCheckout, onPayment, open, type ServedPage } from './hosted-pages.ts'

/** The payment method types of a session with a wallet. */
export const WALLET_TYPES = { payment_method_types: ['card', 'wallet'] } as const

/** The pages of sessions with a wallet. */
export const WALLET_SCENES: readonly (readonly [name: string, render: () => Promise<ServedPage>])[] = [
  ['wallet-payment', onPayment(open, { ...WALLET_TYPES, description: 'Workshop' })],
  ['wallet-subscription', onCheckout(open, {}, WALLET_TYPES)],
  [
    'wallet-sheet',
    onPayment((hosted, path) => hosted.get(`${path}/wallet`), { ...WALLET_TYPES, description: 'Workshop' }),
  ],
  [
    'wallet-declined',
    onPayment((hosted, path) => hosted.submit(`${path}/wallet`, { answer: 'decline' }), WALLET_TYPES),
  ],
]
