import fc from 'fast-check'
import { StartupError } from '../../../src/domain/core/startup-error.ts'
import { type RunStatement, requireDedicatedSessions } from '../../../src/store/postgres/postgres-pooler.ts'
import { propertySettings } from '../../support/property.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('store/postgres-pooler')

/** The settings of a server session. */
type Session = Map<string, string>

/** Creates a connection that gets a session from `acquire` for each transaction or single statement. */
function connectionTo(acquire: () => Session, release: (session: Session) => void): RunStatement {
  let current: Session | null = null
  return async (text) => {
    const session = current ?? acquire()
    current = text === 'BEGIN' ? session : text === 'ROLLBACK' ? null : current
    const [, name = '', value] = /'([^']+)', '?(\w+)/.exec(text) ?? []
    if (text.includes('set_config')) session.set(name, value ?? '')
    if (current === null) release(session)
    return text.includes('current_setting') ? [{ value: session.get(name) ?? null }] : []
  }
}

/** Creates two connections to a pooler in transaction mode; `choose` selects a free session. */
function pooled(
  free: Session[],
  choose: (free: Session[]) => Session | undefined,
): [RunStatement, RunStatement] {
  const acquire = () => {
    const session = choose(free)
    if (session === undefined) throw new Error('the statement would wait forever')
    free.splice(free.indexOf(session), 1)
    return session
  }
  const open = () => connectionTo(acquire, (session) => free.push(session))
  return [open(), open()]
}

async function checkSessions([first, second]: readonly [RunStatement, RunStatement]): Promise<string> {
  try {
    await requireDedicatedSessions(first, second)
    return 'none'
  } catch (error) {
    if (error instanceof StartupError) return error.code
    throw error
  }
}

test('accepts connections that always use the same session', async () => {
  const own = () => {
    const session: Session = new Map()
    return connectionTo(
      () => session,
      () => {},
    )
  }
  assert.is(await checkSessions([own(), own()]), 'none')
})

const newest = (free: Session[]) => free.at(-1)
const oldest = (free: Session[]) => free[0]

for (const [count, choose] of [
  [1, newest],
  [20, newest],
  [3, oldest],
] as const) {
  test(`rejects a pooler with ${count} sessions that assigns the ${choose.name} one`, async () => {
    const sessions = Array.from({ length: count }, () => new Map<string, string>())
    assert.is(await checkSessions(pooled(sessions, choose)), 'database_pooler_unsupported')
  })
}

test('rejects a pooler that resets a session after each transaction', async () => {
  const reset = () =>
    connectionTo(
      () => new Map(),
      () => {},
    )
  assert.is(await checkSessions([reset(), reset()]), 'database_pooler_unsupported')
})

test('rejects almost every pooler whose sessions are assigned at random', async () => {
  let missed = 0
  let tried = 0
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat()), async (choices) => {
      const sessions = Array.from({ length: 4 }, () => new Map<string, string>())
      const any = (free: Session[]) => free[Number(choices.next().value) % free.length]
      tried += 1
      if ((await checkSessions(pooled(sessions, any))) === 'none') missed += 1
    }),
    propertySettings,
  )
  assert.ok(missed <= tried / 50, `${missed} of ${tried}`)
})

test.run()
