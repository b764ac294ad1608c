import fc from 'fast-check'
import { StartupProblem } from '../../../src/domain/startup-problem.ts'
import { type Query, requireOwnSessions } from '../../../src/store/postgres/postgres-pooler.ts'
import { chance } from '../../support/property.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('store/postgres-pooler')

/** A session of a server: its settings. */
type Session = Map<string, string>

/** A connection whose statements run in the session that is given to it when none of its transactions is open. */
function connectionTo(give: () => Session, release: (session: Session) => void): Query {
  let kept: Session | null = null
  return async (text) => {
    const session = kept ?? give()
    kept = text === 'BEGIN' ? session : text === 'ROLLBACK' ? null : kept
    const [, name = '', value] = /'([^']+)', '?(\w+)/.exec(text) ?? []
    if (text.includes('set_config')) session.set(name, value ?? '')
    if (kept === null) release(session)
    return text.includes('current_setting') ? [{ value: session.get(name) ?? null }] : []
  }
}

/** Connections to a pooler in transaction mode with these sessions, of which `choose` takes a free one. */
function pooled(free: Session[], choose: (free: Session[]) => Session | undefined): [Query, Query] {
  const give = () => {
    const session = choose(free)
    if (session === undefined) throw new Error('a statement would wait for ever')
    free.splice(free.indexOf(session), 1)
    return session
  }
  const open = () => connectionTo(give, (session) => free.push(session))
  return [open(), open()]
}

async function problemOf([first, second]: readonly [Query, Query]): Promise<string> {
  try {
    await requireOwnSessions(first, second)
    return 'none'
  } catch (error) {
    if (error instanceof StartupProblem) return error.code
    throw error
  }
}

test('accepts connections that keep their sessions', async () => {
  const own = () => {
    const session: Session = new Map()
    return connectionTo(
      () => session,
      () => {},
    )
  }
  assert.is(await problemOf([own(), own()]), 'none')
})

const newest = (free: Session[]) => free.at(-1)

for (const count of [1, 2, 20]) {
  test(`refuses a pooler that shares ${count} session${count === 1 ? '' : 's'}, the one used last first`, async () => {
    const sessions = Array.from({ length: count }, () => new Map<string, string>())
    assert.is(await problemOf(pooled(sessions, newest)), 'database_pooler_unsupported')
  })
}

test('refuses a pooler that gives its sessions out in turn', async () => {
  const sessions = Array.from({ length: 3 }, () => new Map<string, string>())
  assert.is(await problemOf(pooled(sessions, ([first]) => first)), 'database_pooler_unsupported')
})

test('refuses a pooler that resets a session after each transaction', async () => {
  const reset = () =>
    connectionTo(
      () => new Map(),
      () => {},
    )
  assert.is(await problemOf([reset(), reset()]), 'database_pooler_unsupported')
})

test('refuses a pooler of which others use sessions meanwhile, with few exceptions', async () => {
  let missed = 0
  let tried = 0
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat()), async (choices) => {
      const sessions = Array.from({ length: 4 }, () => new Map<string, string>())
      const any = (free: Session[]) => free[Number(choices.next().value) % free.length]
      tried += 1
      if ((await problemOf(pooled(sessions, any))) === 'none') missed += 1
    }),
    chance,
  )
  assert.ok(missed <= tried / 50, `${missed} of ${tried}`)
})

test.run()
