import type { Operation } from '../../api/core/operation.ts'
import { type ResourceName, resourceNamed } from '../../api/resources/catalog.ts'
import type { Client } from '../../client/client.ts'
import type { AnySession } from '../../domain/completion/any-session.ts'
import type { Schema } from '../../domain/core/schema.ts'
import { createFlags } from '../parse/mutation-flags.ts'
import { type CommandInput, type OperationWithParams, readBodyFlags } from '../request/call.ts'
import { brandingFlags } from '../sessions/branding-flags.ts'
import { CARD_PARAMS, cardFlags, cardOrWalletFlags, completeParams } from '../sessions/card-flags.ts'
import { createSessionFlags, type SessionFlags } from '../sessions/session-flags.ts'
import { createSessionAndWait, openAndWaitFlags, waitForIssuer } from '../sessions/session-wait.ts'
import { sessionNote, summarizeSession } from '../views/result-summary.ts'
import { type CommandTexts, type OperationCommand, operationCommand } from './operation-command.ts'

type SessionName = Extract<ResourceName, `${string}_sessions`>

/** The operations on one kind of session. */
interface SessionOperations {
  readonly create: OperationWithParams & { readonly response: Schema<AnySession> }
  readonly retrieve: Operation<{ readonly id: string }, AnySession>
  readonly complete: OperationWithParams & { readonly response: Schema<AnySession> }
}

/**
 * Returns the command that creates and prints a session. `--open` opens the page of the session, and `--wait` waits
 * until the session is complete or expired.
 */
export function sessionCreateCommand(
  name: SessionName,
  { create, retrieve }: SessionOperations,
  texts: CommandTexts,
  params: SessionFlags = createSessionFlags(create),
): typeof OperationCommand {
  const { topic } = resourceNamed(name)
  const flags = { ...params.flags, ...brandingFlags, ...createFlags, ...openAndWaitFlags }
  const note = (session: AnySession) => sessionNote(session, topic)
  return class extends operationCommand(create, { ...texts, flags, note }) {
    protected override async send({ flags: given }: CommandInput, client: Client): Promise<object> {
      const file = await readBodyFlags(create, given, params.fromFlags(given))
      const session = params.merge(given, file)
      return createSessionAndWait(
        given,
        () => client.send(create, session) as Promise<AnySession>,
        (id) => client.call(retrieve, { id }),
      )
    }
  }
}

const WALLET_CARDS = {
  flags: cardOrWalletFlags,
  examples: ['visa', 'insufficient_funds', 'wallet', '4000002500003155 --three-d-secure reject'],
}

/** The flags and the example cards of the command that completes a session. */
const CARDS = {
  checkout_sessions: WALLET_CARDS,
  payment_sessions: WALLET_CARDS,
  card_sessions: {
    flags: cardFlags,
    examples: ['visa', 'decline_after_attach', 'sca_setup --three-d-secure reject'],
  },
} satisfies Record<SessionName, unknown>

/** Returns the command that completes a session with a test card and waits until the issuer has decided. */
export function sessionCompleteCommand(
  name: SessionName,
  { complete, retrieve }: SessionOperations,
  aliases: readonly string[] = [],
): typeof OperationCommand {
  const { object, idPrefix } = resourceNamed(name)
  const { flags, examples } = CARDS[name]
  const base = operationCommand(complete, {
    summary: `Complete a ${object.replace('_', ' ')} with a test card`,
    aliases,
    flags,
    examples: examples.map((card) => `${idPrefix}4bT9… --card ${card}`),
    omit: CARD_PARAMS,
    params: completeParams,
    note: summarizeSession,
  })
  return class extends base {
    protected override async send(input: CommandInput, client: Client): Promise<object> {
      const session = (await super.send(input, client)) as AnySession
      return waitForIssuer(session, (id) => client.call(retrieve, { id }))
    }
  }
}
