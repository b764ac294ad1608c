import fc from 'fast-check'
import { ERRORS } from '../../src/api/schema/errors.ts'
import { DomainError } from '../../src/domain/domain-error.ts'
import type { Dunning } from '../../src/domain/dunning.ts'
import { holdsCardNumber, wordsOf } from '../../src/engine/invariants/secrets.ts'
import { checkInvariants, type Snapshot } from '../../src/engine/invariants.ts'
import { type Act, acts, beginWith, type Cast, perform } from '../support/random-operations.ts'
import { dunnings } from '../support/random-params.ts'
import type { Sandbox } from '../support/sandbox.ts'
import { assert } from '../support/suite.ts'

/** What happens in one sandbox, and how it collects failed invoices. */
export interface Life {
  readonly dunning: Dunning
  readonly script: readonly Act[]
}

/** A random life of at most so many acts. */
export function lives(maxLength: number, more: fc.ArrayConstraints = {}): fc.Arbitrary<Life> {
  return fc.record({ dunning: dunnings, script: fc.array(acts, { minLength: 1, maxLength, ...more }) })
}

/** A code that leaves a payment attempt behind. */
const CARD_ERROR = 'card_error'

/**
 * Lives a script through, what is refused must be in the catalogue and, but for declined
 * cards, leave nothing behind. `afterEach` sees each act when it is over.
 */
export async function live(
  sandbox: Sandbox,
  script: readonly Act[],
  afterEach: (act: Act) => Promise<void> = async () => {},
): Promise<Cast> {
  const watched = watch(sandbox)
  const cast = await beginWith(watched)
  for (const act of script) {
    await perform(watched, cast, act).catch(passRefusal)
    await sandbox.advance(0)
    await afterEach(act)
  }
  return cast
}

/** Fails with every sentence that tells of a broken rule. */
export function isSound(snapshot: Snapshot, when = ''): void {
  const problems = checkInvariants(snapshot)
  if (problems.length > 0) throw new Error(`${problems.length} broken ${when}\n${problems.join('\n')}`)
}

function passRefusal(error: unknown): void {
  if (!(error instanceof DomainError)) throw error
}

function watch(sandbox: Sandbox): Sandbox {
  async function watched<T>(work: () => Promise<T>): Promise<T> {
    await sandbox.advance(0)
    const before = await sandbox.store.newestSequence()
    try {
      return await work()
    } catch (error) {
      if (error instanceof DomainError) checkRefusal(error, (await sandbox.store.newestSequence()) - before)
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

function checkRefusal(refusal: DomainError, eventsTold: number): void {
  const [status, type] = ERRORS[refusal.code] ?? []
  assert.ok(status !== undefined && status < 500, `${refusal.code} is in no catalogue`)
  if (type !== CARD_ERROR) assert.is(eventsTold, 0, `${refusal.code} left events behind`)
  assert.not(holdsCardNumber(`${refusal.message} ${wordsOf(refusal.details)}`), refusal.message)
}
