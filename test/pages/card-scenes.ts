import { api } from '../../src/api/api.ts'
import { subscribe, toNextPeriod } from '../support/billing.ts'
import { newCardSession, newCustomer } from '../support/samples.ts'
import { CHECKOUT_URL, createSandbox } from '../support/sandbox.ts'
import { card, HostedPages, locationOf, pathOf, type ServedPage, VISA } from './hosted-pages.ts'

/** Returns a function that renders a page of a card session whose customer has a declined renewal. */
const renderAfter = (act: (hosted: HostedPages, path: string) => Promise<string>) => async () => {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  const { id } = await subscribe(sandbox, { customer, card: 'renewal_no_funds' })
  await toNextPeriod(sandbox, id)
  const hosted = new HostedPages(CHECKOUT_URL, sandbox.runtime)
  return hosted.follow(await act(hosted, pathOf(await newCardSession(sandbox, { customer }))))
}

async function renderExpired(): Promise<ServedPage> {
  const sandbox = createSandbox()
  const session = await newCardSession(sandbox)
  await sandbox.call(api.cardSessions.expire, { id: session.id })
  return new HostedPages(CHECKOUT_URL, sandbox.runtime).get(pathOf(session))
}

const submitCard = (number: string) => async (hosted: HostedPages, path: string) =>
  locationOf(await hosted.submit(path, card(number)))

async function submitTwice(hosted: HostedPages, path: string): Promise<string> {
  await hosted.submit(path, VISA)
  return path
}

/** The pages of card sessions. */
export const CARD_SCENES: readonly (readonly [name: string, render: () => Promise<ServedPage>])[] = [
  ['card', renderAfter(async (_, path) => path)],
  ['card-three-d-secure', renderAfter(submitCard('4000002760003184'))],
  ['card-updated', renderAfter(submitCard('4242424242424242'))],
  ['card-updated-unpaid', renderAfter(submitCard('4000000000000341'))],
  ['card-updated-before', renderAfter(submitTwice)],
  ['card-expired', renderExpired],
]
