import type { ClockRequest } from '../../domain/advances.ts'
import type { ApiKey } from '../../domain/api-keys.ts'
import type { Decision, RuleContext } from '../../domain/changes.ts'
import type { Unvalidated, ValidationError } from '../../domain/domain-error.ts'
import type { EffectiveTime } from '../../engine/effective-time.ts'
import type { Runtime } from '../../engine/runtime.ts'
import type { StoreReader } from '../../store/port/store.ts'
import type { Exactly } from '../resources/fields.ts'
import type { ObjectSchema, Schema } from '../schema/schema.ts'

export type Method = 'GET' | 'POST' | 'DELETE'

/** What `load` of an operation receives besides the store and the parameters. */
export interface CallContext {
  /** Wall time in Unix seconds. */
  readonly wallNow: number
  readonly newWebhookSecret: () => string
  readonly newApiKey: (kind: ApiKey['kind']) => string
  /** Throws when webhooks may not be sent to the URL. */
  readonly requireAllowedUrl: (url: string) => void
  readonly clockRequest: ClockRequest
}

/** What `validate` of an operation receives besides the parameters. */
export interface ValidationContext extends Pick<CallContext, 'wallNow' | 'requireAllowedUrl'> {
  /** Unix seconds on the clock of the object that the parameters name; null when it is unknown. */
  readonly now: number | null
}

interface OperationBase<P, R> {
  readonly method: Method
  /** The path; `:id` is its only parameter. */
  readonly path: string
  /** One sentence for command help and the API reference. */
  readonly summary: string
  /** Effects, preconditions and common errors, for the API reference. */
  readonly description: string
  readonly params: ObjectSchema<P>
  /** The meaning of null in the body: `absent` omits the parameter, `unset` clears the field. */
  readonly nulls: 'absent' | 'unset'
  /** Returns the errors that the schema cannot express; they are reported together with those of the schema. */
  readonly validate?: (params: Unvalidated<P>, context: ValidationContext) => readonly ValidationError[]
  /** Loads the time for `validate`, or null when it is unknown; runs only after a validation error. */
  readonly loadTime?: (reader: StoreReader, params: Unvalidated<P>) => Promise<EffectiveTime | null>
  /** The schema of the 200 response. */
  readonly response: Schema<R>
  /** Example parameters for the reference, without the id of the path. */
  readonly example?: object
  /** Whether the operation may charge a card, so that 402 is a possible status. */
  readonly mayDecline?: boolean
}

/** An operation that only reads. */
export interface LookupOperation<P, R> extends OperationBase<P, R> {
  readonly kind: 'lookup'
  readonly load: (reader: StoreReader, params: P) => Promise<R>
}

/** The steps of one transaction: `load` only reads, `decide` is synchronous and pure. */
interface TransactionSteps<P, L, R> {
  readonly load: (reader: StoreReader, params: P, context: CallContext) => Promise<L>
  /** Returns the clock whose time the change uses: a test clock or real time. */
  readonly when: (loaded: L, params: P) => EffectiveTime
  readonly decide: (loaded: L, params: P, ruleContext: RuleContext) => Decision<R>
}

/** An operation that changes objects in one transaction. */
export interface MutationOperation<P, L, R> extends OperationBase<P, R>, TransactionSteps<P, L, R> {
  readonly kind: 'mutation'
}

/** An operation of several transactions, such as the advance of a test clock by a year. */
export interface ProcedureOperation<P, L, B, R> extends OperationBase<P, R>, TransactionSteps<P, L, B> {
  readonly kind: 'procedure'
  /** Runs the remaining transactions; the last one stores the response to `clockRequest` of the call context. */
  readonly finish: (runtime: Runtime, started: B) => Promise<R>
}

export type Operation<P, R> =
  | LookupOperation<P, R>
  | MutationOperation<P, never, R>
  | ProcedureOperation<P, never, never, R>

/** An operation of any parameters and result, for tables. */
export type AnyOperation = Operation<never, unknown>

/** The parameters of an operation, including the `id` of its path. */
export type ParamsOf<O> = O extends { readonly params: ObjectSchema<infer P> } ? P : never

/** The result of an operation. */
export type ResultOf<O> = O extends { readonly finish: (runtime: Runtime, begun: never) => Promise<infer R> }
  ? R
  : O extends {
        readonly decide: (loaded: never, params: never, ruleContext: RuleContext) => Decision<infer R>
      }
    ? R
    : O extends { readonly load: (reader: StoreReader, params: never) => Promise<infer R> }
      ? R
      : never

type OperationOptions<D, P, R> = Omit<D, 'kind' | 'nulls' | 'response' | 'example'> & {
  readonly nulls?: 'absent' | 'unset'
  readonly response: Exactly<R>
  readonly example?: Omit<NoInfer<P>, 'id'>
}

/** Defines an operation that only reads. */
export function defineLookup<P, R>(
  options: OperationOptions<LookupOperation<P, R>, P, R>,
): LookupOperation<P, R> {
  return { nulls: 'absent', ...options, kind: 'lookup' }
}

/** Defines an operation that changes objects in one transaction. */
export function defineMutation<P, L, R>(
  options: OperationOptions<MutationOperation<P, L, R>, P, R>,
): MutationOperation<P, L, R> {
  return { nulls: 'absent', ...options, kind: 'mutation' }
}

/** Defines an operation of several transactions. */
export function defineProcedure<P, L, B, R>(
  options: OperationOptions<ProcedureOperation<P, L, B, R>, P, R>,
): ProcedureOperation<P, L, B, R> {
  return { nulls: 'absent', ...options, kind: 'procedure' }
}
