import {
  type ResendProgress,
  resendAllFailed,
} from '../../../../src/dashboard/screens/deliveries/resend-all.ts'
import type { WebhookDelivery } from '../../../../src/domain/events/webhook-deliveries.ts'
import { assert, suite } from '../../../support/suite.ts'
import { deliveryWith } from '../../dashboard-samples.ts'

const test = suite('dashboard/screens/deliveries/resend-all')

const PAGE_SIZE = 2
const DELIVERIES = [
  deliveryWith('whd_5', { event: 'evt_3', status: 'failed' }),
  deliveryWith('whd_4', { event: 'evt_2' }),
  deliveryWith('whd_3', { event: 'evt_1', status: 'failed' }),
  deliveryWith('whd_2', { event: 'evt_2', status: 'failed' }),
  deliveryWith('whd_1', { event: 'evt_1', status: 'failed' }),
]

async function resendWith(
  resend: (delivery: WebhookDelivery) => Promise<string | null>,
  isStopped: () => boolean = () => false,
): Promise<readonly ResendProgress[]> {
  const reports: ResendProgress[] = []
  const read = async (after: string | undefined) => {
    const from = DELIVERIES.findIndex(({ id }) => id === after) + 1
    return {
      data: DELIVERIES.slice(from, from + PAGE_SIZE),
      has_more: DELIVERIES.length > from + PAGE_SIZE,
    }
  }
  for await (const progress of resendAllFailed({ read, resend })) {
    if (progress !== null) reports.push(progress)
    if (isStopped()) break
  }
  return reports
}

test('sends each event again whose newest attempt failed, oldest first', async () => {
  const sent: string[] = []
  const reports = await resendWith(async ({ id }) => {
    sent.push(id)
    return null
  })
  assert.equal(sent, ['whd_3', 'whd_5'])
  assert.equal(
    reports.map(({ total, resent }) => `${resent}/${total}`),
    ['0/2', '1/2', '2/2'],
  )
})

test('continues after an event that cannot be resent', async () => {
  const reports = await resendWith(async ({ id }) => (id === 'whd_3' ? 'The endpoint is disabled.' : null))
  assert.equal(reports.at(-1), { total: 2, resent: 1, errors: ['The endpoint is disabled.'] })
})

test('sends no further delivery after it is stopped', async () => {
  let sent = 0
  const reports = await resendWith(
    async () => {
      sent += 1
      return null
    },
    () => sent === 1,
  )
  assert.equal(reports.at(-1), { total: 2, resent: 1, errors: [] })
})

test.run()
