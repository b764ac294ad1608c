import fc from 'fast-check'
import { ERROR_DEFINITIONS } from '../../src/api/schema/errors.ts'
import { TEST_CARDS } from '../../src/domain/cards/test-cards.ts'
import { DomainError } from '../../src/domain/core/domain-error.ts'
import type { DunningPolicy } from '../../src/domain/core/dunning.ts'
import { checkInvariants, type Snapshot } from '../../src/engine/invariants.ts'
import { createCast, perform, type RandomOperation, randomOperations } from '../support/random-operations.ts'
import { dunnings } from '../support/random-params.ts'
import type { Sandbox } from '../support/sandbox.ts'
import { assert } from '../support/suite.ts'

/** The operations of one sandbox, and its dunning policy. */
export interface RandomRun {
  readonly dunning: DunningPolicy
  readonly script: readonly RandomOperation[]
}

/** Generates random runs of at most `maxLength` operations. */
export function randomRuns(maxLength: number, more: fc.ArrayConstraints = {}): fc.Arbitrary<RandomRun> {
  return fc.record({
    dunning: dunnings,
    script: fc.array(randomOperations, { minLength: 1, maxLength, ...more }),
  })
}

/** The error type that may store a failed payment. */
const CARD_ERROR = 'card_error'

/**
 * Executes a script. Errors must be in the catalogue and, except declined
 * cards, store nothing. `afterEach` runs after each operation.
 */
export async function executeRun(
  sandbox: Sandbox,
  script: readonly RandomOperation[],
  afterEach: (act: RandomOperation) => Promise<void> = async () => {},
): Promise<void> {
  const watched = checkErrors(sandbox)
  const cast = await createCast(watched)
  for (const act of script) {
    await perform(watched, cast, act).catch(ignoreDomainError)
    await sandbox.advance(0)
    await afterEach(act)
  }
}

/** Throws with all violated invariants. */
export function assertInvariants(snapshot: Snapshot, when = ''): void {
  const violations = checkInvariants(snapshot)
  if (violations.length > 0)
    throw new Error(`${violations.length} violations ${when}\n${violations.join('\n')}`)
}

function ignoreDomainError(error: unknown): void {
  if (!(error instanceof DomainError)) throw error
}

function checkErrors(sandbox: Sandbox): Sandbox {
  async function watched<T>(work: () => Promise<T>): Promise<T> {
    await sandbox.advance(0)
    const before = await sandbox.store.newestSequence()
    try {
      return await work()
    } catch (error) {
      if (error instanceof DomainError) checkError(error, (await sandbox.store.newestSequence()) - before)
      throw error
    }
  }
  return {
    ...sandbox,
    call: (operation, params) => watched(() => sandbox.call(operation, params)),
    send: (operation, request) => watched(() => sandbox.send(operation, request)),
    submit: (session, entered) => watched(() => sandbox.submit(session, entered)),
    answer: (id, isApproved) => watched(() => sandbox.answer(id, isApproved)),
  }
}

function checkError(error: DomainError, newEvents: number): void {
  const [status, type] = ERROR_DEFINITIONS[error.code] ?? []
  assert.ok(status !== undefined && status < 500, `${error.code} is not in the catalogue`)
  if (type !== CARD_ERROR) assert.is(newEvents, 0, `${error.code} stored events`)
  const text = `${error.message} ${JSON.stringify(error.details)}`
  for (const { number } of TEST_CARDS) assert.not(text.includes(number), text)
}
