import { api } from '../../../src/api/api.ts'
import type { ParamsOf } from '../../../src/api/core/operation.ts'
import type { Subscription } from '../../../src/domain/billing/subscriptions.ts'
import type { Event } from '../../../src/domain/events/events.ts'
import type { PortalSession } from '../../../src/domain/sessions/portal-sessions.ts'
import { type Order, subscribe } from '../../support/billing.ts'
import { newCustomer } from '../../support/samples.ts'
import { CHECKOUT_URL, createSandbox, DAY, type Sandbox } from '../../support/sandbox.ts'
import { type Form, HostedPages, pathOf, type ServedPage } from '../hosted-pages.ts'

export type Features = ParamsOf<typeof api.portalSessions.create>['features']

/** A customer with a subscription, and the page of an open portal session. */
export interface PortalScene {
  readonly sandbox: Sandbox
  readonly hosted: HostedPages
  readonly customer: string
  readonly subscription: string
  readonly session: PortalSession
  readonly path: string
  /** Returns the path of a page about the subscription. */
  readonly part: (action: string) => string
}

/** Two plans: a larger monthly plan and a yearly plan. */
export const PLANS = [
  { description: 'Large', amount: 200_000, currency: 'eur' },
  { description: 'Year', amount: 1_000_000, currency: 'eur', interval: 'year' as const },
]

/** Opens a portal session of a customer with a subscription of 1200.00 EUR a month that started some days ago. */
export async function openPortal(features: Features = {}, order: Order = {}, days = 0): Promise<PortalScene> {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  const { id: subscription } = await subscribe(sandbox, { customer, ...order })
  await sandbox.advance(days * DAY)
  const session = await sandbox.call(api.portalSessions.create, {
    customer,
    return_url: 'https://shop.example/account?portal={PORTAL_SESSION_ID}',
    features: { plans: PLANS, ...features },
  })
  const path = pathOf(session)
  return {
    ...{
      sandbox,
      hosted: new HostedPages(CHECKOUT_URL, sandbox.runtime),
      customer,
      subscription,
      session,
      path,
    },
    part: (action) => `${path}/subscriptions/${subscription}/${action}`,
  }
}

/** Reads the subscription of a scene. */
export function read({ sandbox, subscription: id }: PortalScene): Promise<Subscription> {
  return sandbox.call(api.subscriptions.retrieve, { id })
}

/** Returns the hidden fields of the form with this action on a page. */
export function formOn({ body }: ServedPage, action: string): Form {
  const [, form = ''] =
    new RegExp(`<form method="post" action="${action}(?:\\?[^"]*)?">(.*?)</form>`, 's').exec(body) ?? []
  if (form === '') throw new Error(`no form for ${action}`)
  const fields = form.matchAll(/<input type="hidden" name="(\w+)"[^>]* value="([^"]*)"/g)
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value]))
}

/** Submits the form with this action from the page at a path (default: the action), as a browser does. */
export async function press({ hosted }: PortalScene, action: string, from = action): Promise<ServedPage> {
  const form = formOn(await hosted.follow(from), action)
  return hosted.serve({ method: 'POST', path: action, form, accept: 'text/html' })
}

/** Runs an action and returns the events that it causes. */
export async function eventsOf({ sandbox }: PortalScene, act: () => Promise<unknown>): Promise<Event[]> {
  const before = (await sandbox.events()).length
  await act()
  return (await sandbox.events()).slice(before)
}
