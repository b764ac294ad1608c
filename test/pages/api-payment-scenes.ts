import { api } from '../../src/api/api.ts'
import { saveCard } from '../support/billing.ts'
import { START } from '../support/rule-context.ts'
import { catchDomainError } from '../support/sandbox.ts'
import { type ClockSandbox, createClockSandbox } from './clock-sandbox.ts'
import type { ServedPage } from './hosted-pages.ts'

/** Renders the page of an API payment that waits for 3-D Secure, after an act of the cardholder or the merchant. */
const renderAfter =
  (act: (clocked: ClockSandbox, id: string) => Promise<unknown>, alias = 'sca_always') =>
  async (): Promise<ServedPage> => {
    const clocked = await createClockSandbox(START)
    const { sandbox, customer, hosted } = clocked
    await saveCard(sandbox, customer, alias)
    const params = { customer, amount: 4500, currency: 'eur', description: 'API calls', off_session: false }
    const { details } = await catchDomainError(sandbox.call(api.payments.create, params))
    const id = details.payment?.id ?? ''
    await act(clocked, id)
    const { status } = await sandbox.call(api.payments.retrieve, { id })
    return hosted.get(status === 'requires_action' ? `/3ds/${id}` : `/3ds/${id}/done`)
  }

const answer =
  (answer: 'approve' | 'reject') =>
  async ({ hosted }: ClockSandbox, id: string) =>
    hosted.submit(`/3ds/${id}`, { answer })

/** The pages of API payments. */
export const API_PAYMENT_SCENES: readonly (readonly [name: string, render: () => Promise<ServedPage>])[] = [
  ['api-payment-three-d-secure', renderAfter(async () => undefined)],
  ['api-payment-paid', renderAfter(answer('approve'))],
  ['api-payment-declined', renderAfter(answer('reject'))],
  ['api-payment-canceled', renderAfter(({ sandbox }, id) => sandbox.call(api.payments.cancel, { id }))],
]
