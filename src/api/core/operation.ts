import type { ClockRequest } from '../../domain/advances.ts'
import type { ApiKey } from '../../domain/api-keys.ts'
import type { Decision, RuleContext } from '../../domain/changes.ts'
import type { Unvalidated, ValidationError } from '../../domain/domain-error.ts'
import type { ObjectSchema, Schema } from '../../domain/schema.ts'
import type { TestClock } from '../../domain/test-clocks.ts'
import type { EffectiveTime } from '../../engine/effective-time.ts'
import type { Runtime } from '../../engine/runtime.ts'
import type { StoreReader } from '../../store/port/store.ts'

export type Method = 'GET' | 'POST' | 'DELETE'

/** What `load` of an operation receives besides the store and the parameters. */
export interface CallContext {
  /** Wall time in Unix seconds. */
  readonly wallNow: number
  readonly newWebhookSecret: () => string
  readonly newApiKey: (kind: ApiKey['kind']) => string
  readonly clockRequest: ClockRequest
}

/** What `validate` of an operation receives besides the parameters. */
export interface ValidationContext extends Pick<Runtime, 'requireAllowedUrl'> {
  /** Wall time in Unix seconds. */
  readonly wallNow: number
  /** Unix seconds on the clock of the object that the parameters name; null when it is unknown. */
  readonly now: number | null
}

/** The validation rules for the parameters of an operation or a stream route. */
export interface ParamRules<P> {
  readonly params: ObjectSchema<P>
  /** Returns the errors that the schema cannot express; they are reported together with the schema errors. */
  readonly validate?: (params: Unvalidated<P>, context: ValidationContext) => readonly ValidationError[]
  /** Loads the time for `validate`, or null when it is unknown; runs only after a validation error. */
  readonly loadTime?: (reader: StoreReader, params: Unvalidated<P>) => Promise<EffectiveTime | null>
}

interface OperationFacts<P, R> {
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
  /** The schema of the 200 response. */
  readonly response: Schema<R>
  /** Example parameters for the reference, without the id of the path. */
  readonly example?: object
  /** Whether the operation may charge a card, so that 402 is a possible status. */
  readonly mayDecline?: boolean
}

/** An operation of the API with parameters of type `P`, including the `id` of its path, and a result of type `R`. */
export interface Operation<P, R> extends OperationFacts<P, R> {
  /** A lookup only reads, a mutation is one transaction, and a procedure several, such as the advance of a test clock. */
  readonly kind: 'lookup' | 'mutation' | 'procedure'
  /** Validates the parameters and returns the steps of the operation with them. */
  readonly bind: (validate: Validate) => Promise<BoundOperation<R>>
}

/** An operation of any parameters and result, for tables. */
export type AnyOperation = Operation<unknown, unknown>

/** Resolves with the parameters of a request; rejects when they violate the rules. */
export type Validate = <P>(rules: ParamRules<P>) => Promise<P>

/** The steps of an operation with its parameters. */
export type BoundOperation<R> =
  | { readonly kind: 'lookup'; readonly load: (reader: StoreReader) => Promise<R> }
  | { readonly kind: 'mutation'; readonly plan: PlanChange<R> }
  | {
      readonly kind: 'procedure'
      readonly plan: PlanChange<TestClock>
      readonly finish: (runtime: Runtime, started: TestClock) => Promise<R>
    }

/** Loads everything that the decision of a transaction needs. */
export type PlanChange<R> = (reader: StoreReader, context: CallContext) => Promise<PlannedChange<R>>

/** A decision with the clock whose time it uses. */
export interface PlannedChange<R> {
  readonly when: EffectiveTime
  readonly decide: (context: RuleContext) => Decision<R>
}

/** The parameters of an operation, including the `id` of its path. */
export type ParamsOf<O> = O extends { readonly params: ObjectSchema<infer P> } ? P : never

/** The result of an operation. */
export type ResultOf<O> = O extends { readonly response: Schema<infer R> } ? R : never

interface OperationOptions<P, R> extends Omit<OperationFacts<P, R>, 'nulls' | 'example'>, ParamRules<P> {
  readonly nulls?: 'absent' | 'unset'
  readonly example?: Omit<NoInfer<P>, 'id'>
}

/** The steps of one transaction: `load` only reads, `decide` is synchronous and pure. */
interface TransactionSteps<P, L, R> {
  readonly load: (reader: StoreReader, params: P, context: CallContext) => Promise<L>
  /** Returns the clock whose time the change uses: a test clock or real time. */
  readonly when: (loaded: L, params: P) => EffectiveTime
  readonly decide: (loaded: L, params: P, ruleContext: RuleContext) => Decision<NoInfer<R>>
}

interface LookupOptions<P, R> extends OperationOptions<P, R> {
  readonly load: (reader: StoreReader, params: P) => Promise<NoInfer<R>>
}

interface ProcedureOptions<P, L, R> extends OperationOptions<P, R>, TransactionSteps<P, L, TestClock> {
  /** Runs the remaining transactions; the last one stores the response to `clockRequest` of the call context. */
  readonly finish: (runtime: Runtime, started: TestClock) => Promise<R>
}

/** Defines an operation that only reads. */
export function defineLookup<P, R>({ load, ...options }: LookupOptions<P, R>): Operation<P, R> {
  return defineOperation<P, R>('lookup', options, (params) => ({
    kind: 'lookup',
    load: (reader) => load(reader, params),
  }))
}

/** Defines an operation that changes objects in one transaction. */
export function defineMutation<P, L, R>({
  load,
  when,
  decide,
  ...options
}: OperationOptions<P, R> & TransactionSteps<P, L, R>): Operation<P, R> {
  const plan = planWith<P, L, R>({ load, when, decide })
  return defineOperation('mutation', options, (params) => ({ kind: 'mutation', plan: plan(params) }))
}

/** Defines an operation of several transactions on a test clock. */
export function defineProcedure<P, L, R>({
  load,
  when,
  decide,
  finish,
  ...options
}: ProcedureOptions<P, L, R>): Operation<P, R> {
  const plan = planWith<P, L, TestClock>({ load, when, decide })
  return defineOperation('procedure', options, (params) => ({
    kind: 'procedure',
    plan: plan(params),
    finish,
  }))
}

function defineOperation<P, R>(
  kind: Operation<P, R>['kind'],
  options: OperationOptions<P, R>,
  bindSteps: (params: P) => BoundOperation<R>,
): Operation<P, R> {
  return { nulls: 'absent', ...options, kind, bind: async (validate) => bindSteps(await validate(options)) }
}

function planWith<P, L, R>({ load, when, decide }: TransactionSteps<P, L, R>) {
  return (params: P): PlanChange<R> =>
    async (reader, context) => {
      const loaded = await load(reader, params, context)
      return {
        when: when(loaded, params),
        decide: (ruleContext) => decide(loaded, params, ruleContext),
      }
    }
}
