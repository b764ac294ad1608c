import fc from 'fast-check'
import type { CalendarUnit } from '../../../src/domain/time/periods.ts'
import { MODEL_CARDS } from './cards.ts'

export const HOUR = 3600
export const DAY = 86_400

/** An arbitrary index that selects one of the existing objects. */
export const pick = fc.nat({ max: 12 })
export const optionalPick = fc.option(pick)
export const alias = fc.constantFrom(...Object.keys(MODEL_CARDS))
export const isApproved = fc.oneof(fc.constant(true), fc.boolean())

/** A billing interval with its count. */
export const rhythm = fc.oneof(
  intervalsOf('day', 5, 40),
  intervalsOf('week', 1, 6),
  { weight: 3, arbitrary: intervalsOf('month', 1, 4) },
  intervalsOf('year', 1, 2),
)

/** Generates a step with a name and random fields. */
export function step<const S extends string, F>(
  name: S,
  fields: { readonly [K in keyof F]: fc.Arbitrary<F[K]> },
): fc.Arbitrary<{ readonly step: S } & F> {
  return fc.record({ step: fc.constant(name), ...fields }) as unknown as fc.Arbitrary<
    { readonly step: S } & F
  >
}

function intervalsOf(interval: CalendarUnit, min: number, max: number) {
  return fc.integer({ min, max }).map((count) => ({ interval, count }))
}

export const ppm = fc.oneof(
  fc.constant(0),
  fc.constantFrom(55_000, 200_000, 1_000_000),
  fc.nat({ max: 1_000_000 }),
)

export const quantity = fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.nat({ max: 5 }))

/** An item of a purchase. */
export const item = fc.record({
  unit: fc.oneof(fc.constant(0), fc.nat({ max: 500 }), fc.nat({ max: 1_000_000_000 })),
  quantity,
  ppm,
})

/** A duration in seconds; mostly whole days, so that jobs fall due at the same time. */
export const seconds = fc.oneof(
  fc.integer({ min: 1, max: 40 }).map((days) => days * DAY),
  fc.integer({ min: 30, max: 130 }).map((days) => days * DAY),
  fc.integer({ min: 1, max: 40 * DAY }),
  fc.constantFrom(1, 3, HOUR, DAY, 365 * DAY),
)

/** The lifetime of a session in seconds; null for the default. */
export const lifetime = fc.option(fc.constantFrom(1800, HOUR, 5 * DAY, 70 * DAY))
