import { TEST_CARDS } from '../../../src/domain/cards/test-cards.ts'
import { findTestIban } from '../../../src/domain/cards/test-ibans.ts'
import { typed } from '../../support/sandbox.ts'
import type { Session } from './state.ts'
import type { RandomOrder } from './steps.ts'
import type { RandomTrial } from './steps-changes.ts'

/** Returns the parameters of a payment session. */
export function paymentOf(
  customer: string,
  amount: number,
  { saves, isHold }: { readonly saves: boolean; readonly isHold: boolean },
) {
  const return_url = 'https://example.com/return'
  const saved = saves ? { save_payment_method: true } : {}
  const held = isHold ? { capture_method: 'manual' as const } : {}
  return {
    customer,
    amount,
    currency: 'eur',
    payment_method_types: isHold ? (['card'] as const) : (['card', 'sepa_debit'] as const),
    return_url,
    ...saved,
    ...held,
  } as const
}

/** Returns the parameters of a checkout session that is created at `now`. */
export function checkoutOf(
  { interval, count, start, items, daysUntilDue, currency, trial }: RandomOrder,
  {
    customer,
    coupon,
    code,
  }: { readonly customer: string; readonly coupon: string | null; readonly code: string | null },
  now: number,
) {
  const sent = { collection_method: 'send_invoice', days_until_due: daysUntilDue ?? 0 } as const
  return {
    customer,
    currency,
    payment_method_types: ['card', 'sepa_debit'] as const,
    ...(coupon === null ? {} : { discounts: [code === null ? { coupon } : { promotion_code: code }] }),
    ...(trial?.asksCard === false ? { payment_method_collection: 'if_required' as const } : {}),
    subscription_data: {
      interval,
      interval_count: count,
      ...(start === null ? {} : { start_date: now + start }),
      ...(trial === null ? {} : trialParams(trial, now)),
      ...(daysUntilDue === null ? {} : sent),
      items: items.map(({ unit, ppm, quantity }) => ({
        description: 'Rent',
        quantity,
        price_data: { amount: unit, tax_percent: ppm / 10_000 },
      })),
    },
  }
}

function trialParams({ days, end, withoutCard }: RandomTrial, now: number) {
  return {
    ...(days === null ? { trial_end: now + end } : { trial_days: days }),
    trial_settings: { missing_payment_method: withoutCard },
  }
}

/** Returns a card as entered in the form, which expires at the end of next year, or an IBAN. */
export function enteredOn(session: Session | null, alias: string) {
  const iban = findTestIban(alias)?.iban
  if (iban !== undefined) return { iban }
  const number = TEST_CARDS.find((card) => card.alias === alias)?.number ?? ''
  const year = new Date((session?.customer.clock.now ?? 0) * 1000).getUTCFullYear()
  return typed(number, { exp_year: String(year + 1) })
}
