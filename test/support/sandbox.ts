import { executeRequest, type SerializedResponse } from '../../src/api/core/execute.ts'
import type { AnyOperation, ParamsOf, ResultOf } from '../../src/api/core/operation.ts'
import { toQueryString } from '../../src/client/request.ts'
import type { InvoiceActionRecords } from '../../src/domain/billing/billing-cycle.ts'
import { completeInvoiceAuthentication } from '../../src/domain/billing/invoice-actions.ts'
import type { Invoice } from '../../src/domain/billing/invoices.ts'
import type { CompletableSession } from '../../src/domain/completion/hosted-session.ts'
import {
  completeSessionAuthentication,
  type EnteredPaymentMethod,
  type SessionCompletionRecords,
  type SessionSubmissionResult,
  submitSession,
} from '../../src/domain/completion/session-submission.ts'
import type { Decision, RuleContext } from '../../src/domain/core/changes.ts'
import { DomainError } from '../../src/domain/core/domain-error.ts'
import { DEFAULT_DUNNING_POLICY, type DunningPolicy } from '../../src/domain/core/dunning.ts'
import type { Event } from '../../src/domain/events/events.ts'
import { MAX_STORED_RESPONSES } from '../../src/domain/requests/idempotency.ts'
import { API_KEY_PREFIXES } from '../../src/domain/sandboxes/api-keys.ts'
import type { SandboxStorage } from '../../src/domain/sandboxes/sandboxes.ts'
import { createFaultRuleCache } from '../../src/engine/fault-rule-cache.ts'
import { findCompletableSession } from '../../src/engine/find-session.ts'
import type { Snapshot } from '../../src/engine/invariants.ts'
import { loadInvoiceRecords } from '../../src/engine/load-billing.ts'
import { loadSessionRecords } from '../../src/engine/load-session-records.ts'
import { commitAfterDueJobs as commit, runDueJobs } from '../../src/engine/real-time-jobs.ts'
import { createRuleContextAt, type Runtime } from '../../src/engine/runtime.ts'
import { getTimeReference } from '../../src/engine/time-reference.ts'
import type { Store, StoreReader } from '../../src/store/port/store.ts'
import { checkCallRefusal, checkCallRequest, checkCallResult, checkEvent } from './contract.ts'
import { createRecordingStore, listAll, storedRecords } from './recording-store.ts'
import { CHECKOUT_URL, createCounterIds, DAY, START, testFingerprint } from './rule-context.ts'
import { createTestSandboxes, type TestSandboxes } from './test-sandboxes.ts'
import { createTestStore } from './test-store.ts'

export { type CaughtError, catchDomainError } from './catch-domain-error.ts'
export { CVC, typed } from './typed-card.ts'
export { CHECKOUT_URL, DAY, START }

/** The engine and API in this process, without HTTP, with a clock that the test moves. */
export interface Sandbox {
  readonly runtime: Runtime
  readonly store: Store
  /** The other sandboxes of the server. */
  readonly sandboxes: TestSandboxes
  now(): number
  /** Returns the current context of rules. */
  context(): RuleContext
  /** Moves the clock without running due jobs, as between two ticks. */
  setClock(unix: number): void
  /** Moves the clock and runs due jobs, as the daemon's ticker does. */
  moveTo(unix: number): Promise<void>
  advance(seconds: number): Promise<void>
  /** Calls an operation without HTTP, after due jobs, as the daemon does. */
  call<O extends AnyOperation>(operation: O, params: ParamsOf<O>): Promise<ResultOf<O>>
  /** Calls an operation with parameters that the typed client would reject. */
  send(operation: AnyOperation, request: { id?: string; search?: string; body?: unknown }): Promise<unknown>
  /** Submits the card form of a session's page. */
  submit(session: string, entered: EnteredPaymentMethod): Promise<SessionSubmissionResult>
  /** Approves or rejects 3-D Secure for the session or invoice with this id. */
  answer(id: string, isApproved: boolean): Promise<SessionSubmissionResult | Invoice>
  /** Returns all events, oldest first. */
  events(): Promise<Event[]>
  /** Returns every stored record, including private records. */
  snapshot(): Promise<Snapshot>
}

export interface SandboxOptions {
  readonly store?: Store
  /** Start of the counter of ids and requests, so that a second sandbox on the same store repeats no id. */
  readonly idsFrom?: number
  readonly dunning?: DunningPolicy
  /** The storages of other sandboxes (default: `durable` and `memory`). */
  readonly storages?: readonly SandboxStorage[]
  /** Throws for endpoint URLs that are not allowed (default: allows all). */
  readonly requireAllowedUrl?: Runtime['requireAllowedUrl']
  /** Maximum number of stored responses to keyed requests (default: the limit of the server). */
  readonly maxStoredResponses?: number
  /** The quotas of the sandbox (default: none). */
  readonly room?: Pick<Runtime, 'quotas' | 'requireRoom'>
}

type DecideInvoice = (records: InvoiceActionRecords, context: RuleContext) => Decision<Invoice>
type DecideSubmission = (
  attempt: SessionCompletionRecords,
  context: RuleContext,
) => Decision<SessionSubmissionResult>

/** Creates a sandbox at `START`, on an empty store or on a given store. */
export function createSandbox({
  store: given,
  idsFrom,
  dunning = DEFAULT_DUNNING_POLICY,
  storages = ['durable', 'memory'],
  requireAllowedUrl = () => {},
  maxStoredResponses = MAX_STORED_RESPONSES,
  room = {},
}: SandboxOptions = {}): Sandbox {
  const { store, written } = createRecordingStore(given ?? createTestStore())
  const clock = { now: START }
  const own = { newId: createCounterIds(idsFrom), requireAllowedUrl, maxStoredResponses, ...room }
  const sandboxes = createTestSandboxes(() => runtime, storages)
  const base = { ...createRuntime(store, { clock, dunning }), ...own }
  const runtime: Runtime = { ...base, sandboxes: sandboxes.manager }
  let requests = idsFrom ?? 0

  async function drained(): Promise<void> {
    const [failed] = await runDueJobs(runtime)
    if (failed) throw failed.error
  }

  async function send(
    operation: AnyOperation,
    { id, search = '', body }: { id?: string; search?: string; body?: unknown },
  ): Promise<unknown> {
    await drained()
    requests += 1
    const requestId = `req_Test${String(requests).padStart(20, '0')}`
    const response = executeRequest(runtime, { operation, id, search, body, requestId, isSecretKey: true })
    return asPublished(operation, body, response)
  }

  async function onPage(session: string, decide: DecideSubmission) {
    await drained()
    const load = async (reader: StoreReader) => loadSessionRecords(reader, await sessionOf(reader, session))
    const when = ({ session }: SessionCompletionRecords) => getTimeReference(session)
    return commit(runtime, { request: null, load, when, decide })
  }

  async function onInvoice(id: string, decide: DecideInvoice) {
    await drained()
    const load = async (reader: StoreReader) => loadInvoiceRecords(reader, await invoiceOf(reader, id))
    return commit(runtime, { request: null, load, when: ({ invoice }) => getTimeReference(invoice), decide })
  }

  return {
    runtime,
    store,
    sandboxes,
    now: () => clock.now,
    context: () => createRuleContextAt(runtime),
    setClock(unix) {
      clock.now = unix
    },
    async moveTo(unix) {
      clock.now = unix
      await drained()
    },
    async advance(seconds) {
      clock.now += seconds
      await drained()
    },
    async call<O extends AnyOperation>(operation: O, params: ParamsOf<O>) {
      return (await send(operation, onTheWire(operation, Object(params)))) as ResultOf<O>
    },
    send,
    submit: (session, entered) =>
      onPage(session, (attempt, context) => submitSession(attempt, entered, context)),
    answer: (id, isApproved) =>
      id.startsWith('in_')
        ? onInvoice(id, (owing, context) => completeInvoiceAuthentication(owing, isApproved, context))
        : onPage(id, (attempt, context) => completeSessionAuthentication(attempt, isApproved, context)),
    async events() {
      const events = await allEvents(store)
      for (const event of events) checkEvent(event)
      return events
    },
    snapshot: async () => ({
      now: clock.now,
      checkoutUrl: CHECKOUT_URL,
      dunning,
      sequence: await store.newestSequence(),
      records: await storedRecords(store, written),
    }),
  }
}

function createRuntime(
  store: Store,
  { clock, dunning }: { readonly clock: { readonly now: number }; readonly dunning: DunningPolicy },
): Omit<Runtime, 'newId' | 'requireAllowedUrl'> {
  let secrets = 0
  return {
    store,
    wallNow: () => clock.now,
    faults: createFaultRuleCache(store, () => clock.now),
    fingerprint: testFingerprint,
    publicIdempotencyKey: (key) => key,
    newWebhookSecret: () => {
      secrets += 1
      return `whsec_${Buffer.from(`secret ${secrets}`.padEnd(24, '.')).toString('base64')}`
    },
    newApiKey: (kind) => {
      secrets += 1
      return `${API_KEY_PREFIXES[kind]}${String(secrets).padStart(32, '0')}`
    },
    checkoutUrl: CHECKOUT_URL,
    dunning,
    yieldToEventLoop: async () => {},
  }
}

function onTheWire(
  { method, path: pattern }: AnyOperation,
  params: object,
): { id?: string; search: string; body?: unknown } {
  const { id, ...others } = { id: undefined, ...params }
  const hasId = pattern.includes(':id')
  const rest = hasId ? others : params
  const path = hasId && typeof id === 'string' ? { id } : {}
  if (method !== 'POST') return { ...path, search: toQueryString(rest) }
  return { ...path, search: '', body: JSON.parse(JSON.stringify(rest)) }
}

async function sessionOf(reader: StoreReader, id: string): Promise<CompletableSession> {
  const session = await findCompletableSession(reader, id)
  if (session === null) throw new Error(`no session ${id}`)
  return session
}

async function invoiceOf(reader: StoreReader, id: string): Promise<Invoice> {
  const invoice = await reader.get('invoices', id)
  if (invoice === null) throw new Error(`no invoice ${id}`)
  return invoice
}

// Checks accepted requests, results and errors against the OpenAPI document.
async function asPublished(
  operation: AnyOperation,
  body: unknown,
  response: Promise<SerializedResponse>,
): Promise<unknown> {
  try {
    const result: unknown = JSON.parse((await response).body)
    checkCallRequest(operation, body)
    checkCallResult(operation, result)
    return result
  } catch (error) {
    if (error instanceof DomainError) checkCallRefusal(operation, error)
    throw error
  }
}

async function allEvents(store: Store): Promise<Event[]> {
  return (await listAll(store, 'events')).sort((a, b) => a.sequence - b.sequence)
}
