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
    payment_method_types: ['card'],
    return_url,
    ...saved,
    ...held,
  } as const
}

/** Returns the parameters of a checkout session that is created at `now`. */
export function checkoutOf(
  { interval, count, start, items, daysUntilDue, currency, trial }: RandomOrder,
  { customer, discount }: { readonly customer: string; readonly discount: object | null },
  now: number,
) {
  const sent = { collection_method: 'send_invoice', days_until_due: daysUntilDue ?? 0 } as const
  return {
    customer,
    currency,
    ...(discount === null ? {} : { discounts: [discount] }),
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
