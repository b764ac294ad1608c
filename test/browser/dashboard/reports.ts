import type { Page } from 'playwright-core'
import type { Projection, Statistics } from '../../../src/dashboard/data/reports.ts'

const NONE = { count: 0, amount: 0 }
const DAY = 86_400

/** Statistics of two days with payments in EUR, and of three invoices that were retried. */
export const STATISTICS: Statistics = {
  interval: 'day',
  test_clock: null,
  start: 0,
  end: 2 * DAY,
  data: [bucket(0, 3, 1), bucket(DAY, 1, 0)],
  recurring_revenue: [{ currency: 'eur', amount: 4500, subscriptions: 3 }],
  subscriptions: { active: 2, past_due: 1 },
  dunning: [
    { attempt: 1, reached: 3, recovered: 0, open: 1, lost: 0 },
    { attempt: 2, reached: 2, recovered: 1, open: 0, lost: 1 },
  ],
}

function bucket(start: number, succeeded: number, failed: number): Statistics['data'][number] {
  const of = (count: number) => ({ count, amount: 1500 * count })
  const payments = { succeeded: of(succeeded), failed: of(failed), requires_action: NONE, processing: NONE }
  const refunds = { succeeded: of(1), pending: NONE, failed: NONE }
  return {
    ...{ start, end: start + DAY },
    currencies: [{ currency: 'eur', payments: { ...payments, canceled: NONE }, refunds }],
  }
}

/** Answers the operations of reports, which the screens need, in place of the server. */
export async function answerReports(page: Page, projected: Projection['data'] = []): Promise<void> {
  await page.route('**/v1/statistics?*', (route) => route.fulfill({ json: STATISTICS }))
  await page.route('**/v1/projections?*', (route) => {
    const subscription = new URL(route.request().url()).searchParams.get('subscription')
    const times = { from: DAY, until: 99 * DAY, has_more: false }
    return route.fulfill({ json: { subscription, test_clock: null, ...times, data: projected } })
  })
}
