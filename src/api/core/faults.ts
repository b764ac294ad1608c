import { DomainError, type ValidationError } from '../../domain/domain-error.ts'
import type { Runtime } from '../../engine/runtime.ts'
import { unixOf } from '../../engine/time-source.ts'
import { fits, misfitsOf, refusalOfAll } from '../schema/validate.ts'
import type { AnyOperation, Known } from './operation.ts'

/** Parameters as they came. */
export interface Given {
  readonly params: object
  /** What was given in a place where it is never taken. */
  readonly strays: readonly ValidationError[]
}

/** What has parameters: an operation, or a route beside them. */
export type Judged = Pick<AnyOperation, 'params' | 'faults' | 'clock'>
type Judge = Pick<Runtime, 'store' | 'wallNow' | 'requireTarget'>

/** Refuses parameters with all that is wrong with them, before anything they speak of is looked up. */
export async function requireSound(judge: Judge, judged: Judged, given: Given): Promise<void> {
  if (!isSound(judge, judged, given)) throw await refusalOf(judge, judged, given)
}

// Nearly everybody's parameters are, so they are looked at once and nothing of them is copied.
function isSound(judge: Judge, { params: schema, faults }: Judged, { params, strays }: Given): boolean {
  if (strays.length > 0 || !fits(params, schema)) return false
  return faults === undefined || faults(params as never, knownTo(judge, null)).length === 0
}

async function refusalOf(judge: Judge, judged: Judged, { params, strays }: Given): Promise<DomainError> {
  const { params: schema, faults } = judged
  const { found, sound } = misfitsOf(params, schema)
  const now = await nowFor(judge, judged, sound)
  const broken = faults?.(sound as never, knownTo(judge, now)) ?? []
  return refusalOfAll([...strays, ...found, ...broken], schema)
}

// Whoever sends something wrong may as well be told of times that are.
async function nowFor({ store, wallNow }: Judge, { clock }: Judged, sound: object): Promise<number | null> {
  const moment = (await clock?.(store, sound as never)) ?? null
  try {
    return moment && (await unixOf(moment, store, wallNow()))
  } catch (error) {
    // A clock that does not stand still is a reason to refuse what is right.
    if (error instanceof DomainError) return null
    throw error
  }
}

function knownTo({ wallNow, requireTarget }: Judge, now: number | null): Known {
  return { now, wallNow: wallNow(), requireTarget }
}
