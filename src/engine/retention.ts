import type { Stored } from '../domain/changes.ts'
import { isFormTooOld } from '../domain/form-tokens.ts'
import { isForgotten } from '../domain/idempotency.ts'
import { clockStateOf, lastExpired, nextMark, type RetentionRules, spentMarks } from '../domain/retention.ts'
import { type ClockState, settledAt } from '../domain/settled-time.ts'
import type { Commit, Reader } from '../store/port/store.ts'
import { noteAnswers, recountAnswers } from './kept-answers.ts'
import { loadDeliveries } from './load-related.ts'
import type { Runtime } from './runtime.ts'
import { MAX_MARKS, noteClockState } from './settled-time.ts'

const RECORDS_PER_ROUND = 200
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
  const { store, wallNow } = runtime
  let dropped = 0
  for (let round = 0; round < mostRounds; round += 1) {
    await runtime.yieldToEventLoop()
    const { result } = await store.transact((reader) => dropSome(reader, wallNow(), rules))
    noteClockState(store, result.clock)
    noteAnswers(store, -result.answers)
    dropped += result.dropped
    if (result.dropped === 0) break
  }
  await recountAnswers(runtime)
  return dropped
}

interface Swept {
  /** How many records went. */
  readonly dropped: number
  /** How many of them were answers to keyed requests. */
  readonly answers: number
  readonly clock: ClockState
}

async function dropSome(reader: Reader, wallNow: number, rules: RetentionRules): Promise<Commit<Swept>> {
  const known = await reader.oldest('retention_marks', MAX_MARKS)
  const newest = await reader.newestSequence()
  const last = known.at(-1)
  const mark = nextMark(last, wallNow, newest)
  const marks = [...known.filter(({ id }) => id !== mark.id), mark]
  const clock = clockStateOf(mark)
  const now = settledAt(clock, wallNow)
  const answers = await forgottenKeys(reader, now)
  const gone: Stored[] = [
    ...(await expiredEvents(reader, lastExpired(marks, newest, rules))),
    ...(await spentTokens(reader, now)),
    ...(await oldDeclines(reader, now)),
    ...answers,
    ...spentMarks(marks, rules),
  ]
  const writes = [...(mark === last ? [] : [{ put: mark }]), ...gone.map((remove) => ({ remove }))]
  return { result: { dropped: gone.length, answers: answers.length, clock }, writes, events: [] }
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
