import type { Operation } from '../../api/core/operation.ts'
import { payments } from '../../api/operations/payments.ts'
import { getResource, type ResourceName } from '../../api/resources/catalog.ts'
import type { Client } from '../../client/client.ts'
import type { CompletableSession, HostedSession } from '../../domain/completion/hosted-session.ts'
import type { Schema } from '../../domain/core/schema.ts'
import { objectCreationFlags } from '../parse/mutation-flags.ts'
import { type CommandInput, type OperationWithParams, readFileAndDataParams } from '../request/call.ts'
import { ignoreApiError } from '../request/customer-name.ts'
import { brandingFlags } from '../sessions/branding-flags.ts'
import {
  CARD_PARAMS,
  cardFlags,
  cardOrWalletFlags,
  checkoutCompletionFlags,
  getSessionCompletionParams,
} from '../sessions/card-flags.ts'
import { createSessionFlagMapping, type SessionFlagMapping } from '../sessions/session-flags.ts'
import {
  createSessionAndWait,
  openAndWaitFlags,
  openFlag,
  waitForIssuerDecision,
} from '../sessions/session-wait.ts'
import { formatSessionNote, summarizeInvoicePayment, summarizeSession } from '../views/result-summary.ts'
import { type CommandTexts, defineOperationCommand, type OperationCommand } from './operation-command.ts'

type HostedName = Extract<ResourceName, `${string}_sessions`>
type SessionName = Exclude<HostedName, 'portal_sessions'>

/** The operations that create and read one kind of session. */
interface HostedOperations<S> {
  readonly create: OperationWithParams & { readonly response: Schema<S> }
  readonly retrieve: Operation<{ readonly id: string }, S>
}

/** The operations on one kind of session that a customer completes with a card or wallet. */
interface SessionOperations extends HostedOperations<CompletableSession> {
  readonly complete: OperationWithParams & { readonly response: Schema<CompletableSession> }
}

/**
 * Returns the command that creates and prints a session. `--open` opens the page of the session, and `--wait` waits
 * until the session is complete or expired.
 */
export function defineSessionCreateCommand<S extends HostedSession>(
  name: HostedName,
  { create, retrieve }: HostedOperations<S>,
  texts: CommandTexts,
  params: SessionFlagMapping = createSessionFlagMapping(create),
): typeof OperationCommand {
  const { topic } = getResource(name)
  const openFlags = name === 'portal_sessions' ? openFlag : openAndWaitFlags
  const flags = { ...params.flags, ...brandingFlags, ...objectCreationFlags, ...openFlags }
  const note = (session: HostedSession, client: Client) =>
    session.object === 'portal_session' || session.status === 'open'
      ? formatSessionNote(session, topic)
      : summarizeWithPayments(session, client)
  return class extends defineOperationCommand(create, { ...texts, flags, note }) {
    protected override async send({ flags: given }: CommandInput, client: Client): Promise<object> {
      const file = await readFileAndDataParams(create, given, params.fromFlags(given))
      const session = params.merge(given, file)
      return createSessionAndWait(
        given,
        () => client.send(create, session) as Promise<S>,
        (id) => client.call(retrieve, { id }),
      )
    }
  }
}

/** Summarizes a completed session. For a card session, the summary includes payments of invoices with the new card. */
async function summarizeWithPayments(session: CompletableSession, client: Client): Promise<string | null> {
  const summary = summarizeSession(session)
  if (summary === null || session.object !== 'card_session') return summary
  const { customer, payment_method } = session
  const list = await client.call(payments.list, { customer, limit: 100 }).catch(ignoreApiError)
  const made = list?.data.filter((one) => one.invoice !== null && one.payment_method === payment_method) ?? []
  return [summary, ...made.map(summarizeInvoicePayment)].join('\n')
}

const WALLET_CARDS = {
  flags: cardOrWalletFlags,
  examples: ['visa', 'insufficient_funds', 'wallet', '4000002500003155 --three-d-secure reject'],
}

/** The flags and the example cards of the command that completes a session. */
const CARDS = {
  checkout_sessions: {
    flags: checkoutCompletionFlags,
    examples: [...WALLET_CARDS.examples, 'visa --promotion-code SPRING-25'],
  },
  payment_sessions: WALLET_CARDS,
  card_sessions: {
    flags: cardFlags,
    examples: ['visa', 'decline_after_attach', 'sca_setup --three-d-secure reject'],
  },
} satisfies Record<SessionName, unknown>

/** Returns the command that completes a session with a test card and waits until the issuer has decided. */
export function defineSessionCompleteCommand(
  name: SessionName,
  { complete, retrieve }: SessionOperations,
  aliases: readonly string[] = [],
): typeof OperationCommand {
  const { object, idPrefix } = getResource(name)
  const { flags, examples } = CARDS[name]
  const base = defineOperationCommand(complete, {
    summary: `Complete a ${object.replace('_', ' ')} with a test card`,
    aliases,
    flags,
    examples: examples.map((card) => `${idPrefix}4bT9… --card ${card}`),
    omit: CARD_PARAMS,
    params: getSessionCompletionParams,
    note: summarizeWithPayments,
  })
  return class extends base {
    protected override async send(input: CommandInput, client: Client): Promise<object> {
      const session = (await super.send(input, client)) as CompletableSession
      return waitForIssuerDecision(session, (id) => client.call(retrieve, { id }))
    }
  }
}
