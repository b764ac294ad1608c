import fc from 'fast-check'
import type { Sandbox } from './sandbox.ts'

/** The type of the values of an arbitrary. */
export type ValueOf<A> = A extends fc.Arbitrary<infer T> ? T : never

/** Generates one of several values; a larger weight makes a value more frequent. */
export function weighted<
  const W extends readonly (readonly [weight: number, arbitrary: fc.Arbitrary<unknown>])[],
>(...choices: W): fc.Arbitrary<ValueOf<W[number][1]>> {
  const options = choices.map(([weight, arbitrary]) => ({ weight, arbitrary }))
  return fc.oneof(...options) as fc.Arbitrary<ValueOf<W[number][1]>>
}

/** An arbitrary index that selects one of the objects that exist when the operation runs. */
export const pick: fc.Arbitrary<number> = fc.nat({ max: 9 })

/** An arbitrary index that selects one of the objects, or null for no object. */
export const optionalPick: fc.Arbitrary<number | null> = fc.option(pick)

/** Generates an operation with a name and random fields. */
export function act<const A extends string, F extends object>(
  name: A,
  fields: { readonly [K in keyof F]: fc.Arbitrary<F[K]> },
): fc.Arbitrary<{ readonly act: A } & F> {
  return fc.record({ act: fc.constant(name), ...fields }) as unknown as fc.Arbitrary<{ readonly act: A } & F>
}

/** Ids of the existing objects to pick from. */
export interface Cast {
  readonly customers: string[]
  readonly sessions: string[]
  readonly portals: string[]
  readonly endpoints: string[]
  readonly clocks: string[]
}

/** A function for each operation, by name, that performs it and adds created objects to the cast. */
export type Performers<Act extends { readonly act: string }> = {
  readonly [N in Act['act']]: (
    sandbox: Sandbox,
    act: Extract<Act, { readonly act: N }>,
    cast: Cast,
  ) => Promise<unknown>
}
