import type { Asking } from '../../domain/advances.ts'
import type { ApiKey } from '../../domain/api-keys.ts'
import type { Decision, RuleContext } from '../../domain/changes.ts'
import type { Doubtful, ValidationError } from '../../domain/domain-error.ts'
import type { Runtime } from '../../engine/runtime.ts'
import type { Moment } from '../../engine/time-source.ts'
import type { Reader } from '../../store/port/store.ts'
import type { Exactly } from '../resources/fields.ts'
import type { ObjectSchema, Schema } from '../schema/schema.ts'

export type Method = 'GET' | 'POST' | 'DELETE'

/** What an operation may know of its call besides its parameters. */
export interface CallContext {
  /** Wall time in Unix seconds. */
  readonly wallNow: number
  readonly newWebhookSecret: () => string
  readonly newApiKey: (kind: ApiKey['kind']) => string
  /** Refuses an address that webhooks may not go to. */
  readonly requireTarget: (url: string) => void
  readonly asking: Asking
}

/** What judges parameters besides themselves. */
export interface Known extends Pick<CallContext, 'wallNow' | 'requireTarget'> {
  /** Unix seconds on the clock of what they are about; null where it is not known. */
  readonly now: number | null
}

interface Described<P, R> {
  readonly method: Method
  /** Path with `:id` for the one path parameter there can be. */
  readonly path: string
  /** One sentence for help and reference: what it does. */
  readonly summary: string
  readonly params: ObjectSchema<P>
  /** What null means in the body: on create it is the same as leaving the field out, on update it unsets. */
  readonly nulls: 'absent' | 'unset'
  /** What is wrong with the parameters by themselves beyond their schema: told together with what does not fit that. */
  readonly faults?: (given: Doubtful<P>, known: Known) => readonly ValidationError[]
  /** On whose clock `faults` judges times; asked only when something is wrong already, null when that cannot be told. */
  readonly clock?: (reader: Reader, given: Doubtful<P>) => Promise<Moment | null>
  /** What it answers with 200. */
  readonly answer: Schema<R>
  /** Parameters as somebody might send them, for the reference; the id in the path left out. */
  readonly example?: object
  /** Whether it may try to charge a card, so that an issuer may say no. */
  readonly mayDecline?: boolean
}

/** An operation that only reads. */
export interface Lookup<P, R> extends Described<P, R> {
  readonly kind: 'lookup'
  readonly load: (reader: Reader, params: P) => Promise<R>
}

/** What is decided in one transaction: `load` only reads, `decide` is synchronous and pure. */
interface Deciding<P, L, R> {
  readonly load: (reader: Reader, params: P, context: CallContext) => Promise<L>
  /** When it happens: on whose clock, or in real time. */
  readonly when: (loaded: L, params: P) => Moment
  readonly decide: (loaded: L, params: P, ruleContext: RuleContext) => Decision<R>
}

/** An operation that changes something. */
export interface Mutating<P, L, R> extends Described<P, R>, Deciding<P, L, R> {
  readonly kind: 'mutation'
}

/** An operation of many transactions, such as a year that passes: decided in the first, answered by the last. */
export interface Procedure<P, L, B, R> extends Described<P, R>, Deciding<P, L, B> {
  readonly kind: 'procedure'
  /** Goes on with what was begun, and keeps the answer for the `Asking` of its context in the last transaction. */
  readonly finish: (runtime: Runtime, begun: B) => Promise<R>
}

export type Operation<P, R> = Lookup<P, R> | Mutating<P, never, R> | Procedure<P, never, never, R>

/** Any operation at all, for tables of them. */
export type AnyOperation = Operation<never, unknown>

/** An operation with `:id` in its path takes the id beside its other parameters. */
export type ParamsOf<O> = O extends { readonly params: ObjectSchema<infer P> } ? P : never

/** What a call of the operation answers. */
export type ResultOf<O> = O extends { readonly finish: (runtime: Runtime, begun: never) => Promise<infer R> }
  ? R
  : O extends {
        readonly decide: (loaded: never, params: never, ruleContext: RuleContext) => Decision<infer R>
      }
    ? R
    : O extends { readonly load: (reader: Reader, params: never) => Promise<infer R> }
      ? R
      : never

type Given<D, P, R> = Omit<D, 'kind' | 'nulls' | 'answer' | 'example'> & {
  readonly nulls?: 'absent' | 'unset'
  readonly answer: Exactly<R>
  readonly example?: Omit<NoInfer<P>, 'id'>
}

/** Declares an operation that only reads. */
export function lookup<P, R>(described: Given<Lookup<P, R>, P, R>): Lookup<P, R> {
  return { nulls: 'absent', ...described, kind: 'lookup' }
}

/** Declares an operation that changes something; its one value mounts the route, validates, and types the client. */
export function operation<P, L, R>(described: Given<Mutating<P, L, R>, P, R>): Mutating<P, L, R> {
  return { nulls: 'absent', ...described, kind: 'mutation' }
}

/** Declares an operation of many transactions. */
export function procedure<P, L, B, R>(described: Given<Procedure<P, L, B, R>, P, R>): Procedure<P, L, B, R> {
  return { nulls: 'absent', ...described, kind: 'procedure' }
}
