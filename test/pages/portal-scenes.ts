import { api } from '../../src/api/api.ts'
import { toNextPeriod } from '../support/billing.ts'
import type { ServedPage } from './hosted-pages.ts'
import { openPortal, PLANS, type PortalScene, press } from './portal/portal-scene.ts'

type Act = (scene: PortalScene) => Promise<string>

/**
 * Returns a function that renders a page of a portal, at the path that an action returns, for a customer with a
 * subscription.
 */
const renderAfter =
  (act: Act, ...given: Parameters<typeof openPortal>) =>
  async (): Promise<ServedPage> => {
    const scene = await openPortal(...given)
    return scene.hosted.follow(await act(scene))
  }

async function renderPastDue(): Promise<ServedPage> {
  const { sandbox, hosted, customer, subscription } = await openPortal({}, { card: 'renewal_no_funds' })
  await toNextPeriod(sandbox, subscription)
  const { url } = await sandbox.call(api.portalSessions.create, { customer, features: { plans: PLANS } })
  return hosted.get(new URL(url).pathname)
}

const items = Array.from({ length: 3 }, (_, index) => ({
  description: `Seats of team ${index + 1} <b>${'x'.repeat(40)}</b>`,
  quantity: 12,
  price_data: { amount: 1_250_000, tax_percent: 7.5 },
}))

/** The pages of portal sessions. */
export const PORTAL_SCENES: readonly (readonly [name: string, render: () => Promise<ServedPage>])[] = [
  ['portal', renderAfter(async ({ path }) => path)],
  ['portal-items', renderAfter(async ({ path }) => path, {}, { items })],
  ['portal-past-due', renderPastDue],
  ['portal-change', renderAfter(async ({ part }) => part('change'))],
  ['portal-preview', renderAfter(async ({ part }) => part('change/0/3'), {}, {}, 10)],
  [
    'portal-preview-credit',
    renderAfter(async ({ part }) => part('change/0/1'), { plans: [{ amount: 500 }] }),
  ],
  ['portal-invalid-quantity', renderAfter(async ({ part }) => `${part('change')}?plan=0&quantity=x`)],
  [
    'portal-declined',
    renderAfter(
      async (scene) => (await press(scene, scene.part('change/0/1'))).headers['Location'] ?? '',
      ...([{}, { card: 'renewal_no_funds' }, 1] as const),
    ),
  ],
  ['portal-cancel', renderAfter(async ({ part }) => part('cancel'))],
  ['portal-cancel-now', renderAfter(async ({ part }) => part('cancel'), { cancel: 'now' })],
  [
    'portal-canceled',
    renderAfter(async (scene) => (await press(scene, scene.part('cancel'))).headers['Location'] ?? ''),
  ],
  [
    'portal-expired',
    renderAfter(async ({ sandbox, path, session }) => {
      await sandbox.call(api.portalSessions.expire, { id: session.id })
      return path
    }),
  ],
]
