import type { Change, Decision, RuleContext, StoredObject } from '../../domain/core/changes.ts'
import type { Unvalidated, ValidationError } from '../../domain/core/domain-error.ts'
import type { ObjectSchema, Schema } from '../../domain/core/schema.ts'
import type { ApiKey } from '../../domain/sandboxes/api-keys.ts'
import type { SandboxQuotas } from '../../domain/sandboxes/sandbox-quotas.ts'
import type { OriginatingRequest } from '../../domain/schedule/clock-procedures.ts'
import type { TestClock } from '../../domain/time/test-clocks.ts'
import type { Runtime } from '../../engine/runtime.ts'
import type { SandboxManager } from '../../engine/sandbox-manager.ts'
import type { TimeReference } from '../../engine/time-reference.ts'
import type { StoreReader } from '../../store/port/store.ts'

export type HttpMethod = 'GET' | 'POST' | 'DELETE'

/** The third argument of `load`, after the store reader and the parameters. */
export interface OperationContext {
  /** Wall time in Unix seconds. */
  readonly wallNow: number
  readonly newWebhookSecret: () => string
  readonly newApiKey: (kind: ApiKey['kind']) => string
  /** Whether the request has a secret key. */
  readonly isSecretKey: boolean
  /** Whether other machines can reach the API. */
  readonly isExposed: boolean
  readonly procedureRequest: OriginatingRequest
  /** The quotas of the sandbox; undefined without quotas. */
  readonly quotas: SandboxQuotas | undefined
}

/** The second argument of `validate`, after the parameters. */
export interface ValidationContext extends Pick<Runtime, 'requireAllowedUrl' | 'sandboxes'> {
  /** Wall time in Unix seconds. */
  readonly wallNow: number
  /** The current time of the object that the parameters name, in Unix seconds; null when the time is unknown. */
  readonly now: number | null
}

// Methods are bivariant in their parameters, so that every operation can be assigned to `AnyOperation`.

/** The validation rules for the parameters of an operation or a stream route. */
export interface ParamRules<P> {
  readonly params: ObjectSchema<P>
  /** Returns the errors that the schema cannot express, which are reported together with the schema errors. */
  validate?(params: Unvalidated<NoInfer<P>>, context: ValidationContext): readonly ValidationError[]
  /** Loads the time for `validate`, or null for an unknown time; runs only after a validation error. */
  loadTime?(reader: StoreReader, params: Unvalidated<NoInfer<P>>): Promise<TimeReference | null>
}

interface OperationFacts<P, R> extends ParamRules<P> {
  readonly method: HttpMethod
  /** The path; `:id` is its only parameter. */
  readonly path: string
  /** One sentence for command help and the API reference. */
  readonly summary: string
  /** Effects, preconditions and common errors, for the API reference. */
  readonly description: string
  /** The meaning of null in the body: `absent` omits the parameter, `unset` clears the field. */
  readonly nulls: 'absent' | 'unset'
  /** The schema of the 200 response. */
  readonly response: Schema<R>
  /** Example parameters for the reference, without the id of the path. */
  readonly example?: object
  /** Whether the operation may charge a card, so that 402 is a possible status. */
  readonly mayDecline?: boolean
  /**
   * Whether a request may take more time or memory than a page of a list (default: `cheap`). Expensive requests of a sandbox
   * run one at a time. Every cheap request must stay within the bounds of `test/api/api.cost.test.ts`.
   */
  readonly cost?: 'cheap' | 'expensive'
  /** Returns whether a request is cheap although its operation is expensive. */
  isCheap?(params: NoInfer<P>): boolean
  /** Whether a lookup needs the time of a test clock, so that 409 is a possible status. */
  readonly needsClockTime?: boolean
}

/** The steps of an operation that only reads. */
interface LookupSteps<P, R> {
  load(reader: StoreReader, params: NoInfer<P>, runtime: Runtime): Promise<NoInfer<R>>
}

/** The steps of one transaction: `load` only reads, `decide` is synchronous and pure. */
export interface TransactionSteps<P, L, R> {
  load(reader: StoreReader, params: NoInfer<P>, context: OperationContext): Promise<L>
  /** Returns the time that the change uses: the time of a test clock, real time or a fixed time. */
  when(loaded: NoInfer<L>, params: NoInfer<P>): TimeReference
  decide(loaded: NoInfer<L>, params: NoInfer<P>, ruleContext: RuleContext): Decision<NoInfer<R>>
}

/** The steps of a procedure: a first transaction with a result of type `S`, such as a test clock, and `finish`. */
interface ProcedureSteps<P, L, S, R> extends TransactionSteps<P, L, S> {
  /** Runs the remaining transactions; the last transaction stores the response to `procedureRequest` of the call context. */
  finish(runtime: Runtime, started: S): Promise<NoInfer<R>>
}

/** The sandboxes that an API key can access, and the runtime that stores them. */
export interface ServerSandboxes {
  readonly manager: SandboxManager
  readonly registry: Runtime
}

/** A change of a sandbox: a transaction in the default sandbox, and then a change of the sandbox contents. */
export interface SandboxChange<R> {
  /** Returns the decision of the transaction without writing; may run more than once. */
  decide(reader: StoreReader, wallNow: number): Promise<Decision<R>>
  /** Runs after the transaction, when its changes are durable. */
  finish?(): Promise<void>
  /** Runs instead of `finish` when the transaction changed nothing. */
  revert?(): Promise<void>
}

/** The steps of an operation that changes the contents of a sandbox outside of a transaction. */
interface SandboxSteps<P, R> {
  /** Changes the contents before the transaction. After a crash, a repeated request changes the contents again. */
  prepare(
    call: ServerSandboxes & Pick<OperationContext, 'isSecretKey'>,
    params: NoInfer<P>,
  ): Promise<SandboxChange<NoInfer<R>>>
}

/** An operation of the API with parameters of type `P`, including the `id` of its path, and a result of type `R`. */
export type Operation<P, R> = OperationFacts<P, R> &
  (
    | ({ readonly kind: 'lookup' } & LookupSteps<P, R>)
    | ({ readonly kind: 'mutation' } & TransactionSteps<P, unknown, R>)
    | ({ readonly kind: 'procedure' } & ProcedureSteps<P, unknown, unknown, R>)
    | ({ readonly kind: 'sandbox' } & SandboxSteps<P, R>)
  )

/** An operation with parameters and a result of any type. */
export type AnyOperation = Operation<unknown, unknown>

/** The parameters of an operation, including the `id` of its path. */
export type ParamsOf<O> = O extends { readonly params: ObjectSchema<infer P> } ? P : never

/** The result of an operation. */
export type ResultOf<O> = O extends { readonly response: Schema<infer R> } ? R : never

/** Returns a decision with one change, whose result is the new state of the object. */
export function createChangeDecision<T extends StoredObject>(
  change: Change & { readonly after: T },
): Decision<T> {
  return { changes: [change], result: change.after }
}

type OperationOptions<P, R> = Omit<OperationFacts<P, R>, 'method' | 'nulls' | 'example'> & {
  /** The HTTP method (default: GET for an operation that only reads, otherwise POST). */
  readonly method?: HttpMethod
  readonly nulls?: 'absent' | 'unset'
  readonly example?: Omit<NoInfer<P>, 'id'>
}

/** Defines an operation that only reads. */
export function defineReadOperation<P, R>(
  options: OperationOptions<P, R> & LookupSteps<P, R>,
): Operation<P, R> {
  return { method: 'GET', nulls: 'absent', ...options, kind: 'lookup' }
}

/** Defines an operation that changes objects in one transaction. */
export function defineWriteOperation<P, L, R>(
  options: OperationOptions<P, R> & TransactionSteps<P, L, R>,
): Operation<P, R> {
  return { method: 'POST', nulls: 'absent', ...options, kind: 'mutation' }
}

/** Defines an operation of several transactions on a test clock. */
export function defineClockProcedure<P, L, R>(
  options: OperationOptions<P, R> & ProcedureSteps<P, L, TestClock, R>,
): Operation<P, R> {
  return { method: 'POST', nulls: 'absent', cost: 'expensive', ...options, kind: 'procedure' }
}

/** Defines an operation that changes a sandbox of the server, in the store of the default sandbox. */
export function defineSandboxManagementOperation<P, R>(
  options: OperationOptions<P, R> & SandboxSteps<P, R>,
): Operation<P, R> {
  return { method: 'POST', nulls: 'absent', ...options, kind: 'sandbox' }
}
