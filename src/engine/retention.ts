import type { Stored } from '../domain/changes.ts'
import { isFormTooOld } from '../domain/form-tokens.ts'
import { isForgotten } from '../domain/idempotency.ts'
import { lastExpired, nextMark, type RetentionRules, spentMarks } from '../domain/retention.ts'
import type { Commit, Reader } from '../store/store.ts'
import { loadDeliveries } from './belongings.ts'
import { countAnswers } from './kept-answers.ts'
import type { Runtime } from './runtime.ts'

const RECORDS_PER_ROUND = 200
const MAX_MARKS = 100
/** Declines count for an hour, which on a test clock may take longer. */
const DECLINES_SECONDS = 86_400

/**
 * Drops events that are too old or too many with their deliveries, and the form tokens, declines and idempotency keys
 * that are older than a day; an event that still waits to be delivered stays, and a key that is at work. Ends after so
 * many transactions, and resolves with how many records went: 0 when nothing is left to drop.
 */
export async function dropExpired(
  runtime: Runtime,
  rules: RetentionRules,
  mostRounds = Number.POSITIVE_INFINITY,
): Promise<number> {
  let dropped = 0
  for (let round = 0; round < mostRounds; round += 1) {
    await runtime.giveWay()
    const { result } = await runtime.store.transact((reader) => dropSome(reader, runtime.settledNow(), rules))
    dropped += result
    if (result === 0) break
  }
  await countAnswers(runtime.store)
  return dropped
}

async function dropSome(reader: Reader, now: number, rules: RetentionRules): Promise<Commit<number>> {
  const known = await reader.oldest('retention_marks', MAX_MARKS)
  const newest = await reader.newestSequence()
  const mark = nextMark(known, now, newest)
  const marks = mark === null ? known : [...known.filter(({ id }) => id !== mark.id), mark]
  const expired = lastExpired(marks, newest, rules)
  const gone: Stored[] = [
    ...(await expiredEvents(reader, expired)),
    ...(await spentTokens(reader, now)),
    ...(await oldDeclines(reader, now)),
    ...(await forgottenKeys(reader, now)),
    ...spentMarks(marks, rules),
  ]
  const writes = [...(mark === null ? [] : [{ put: mark }]), ...gone.map((remove) => ({ remove }))]
  return { result: gone.length, writes, events: [] }
}

async function expiredEvents(reader: Reader, last: number): Promise<Stored[]> {
  if (last === 0) return []
  const gone: Stored[] = []
  const events = await reader.oldest('events', RECORDS_PER_ROUND)
  const old = events.filter(({ sequence }) => sequence <= last)
  const told = await Promise.all(old.map(async ({ id }) => loadDeliveries(reader, id)))
  for (const [at, event] of old.entries()) {
    const deliveries = told[at] ?? []
    // What goes is the beginning of history, without a hole: a waiting event keeps those after it a little longer.
    if (deliveries.some(({ status }) => status === 'pending')) break
    gone.push(event, ...deliveries)
  }
  return gone
}

async function forgottenKeys(reader: Reader, now: number): Promise<Stored[]> {
  const used = await reader.oldest('idempotency_keys', RECORDS_PER_ROUND)
  return used.filter((key) => isForgotten(key, now))
}

async function spentTokens(reader: Reader, now: number): Promise<Stored[]> {
  const tokens = await reader.oldest('form_tokens', RECORDS_PER_ROUND)
  return tokens.filter(({ used_at }) => isFormTooOld(used_at, now))
}

async function oldDeclines(reader: Reader, now: number): Promise<Stored[]> {
  const declines = await reader.oldest('traceless_declines', RECORDS_PER_ROUND)
  return declines.filter(({ noted_at }) => noted_at <= now - DECLINES_SECONDS)
}
