import { createDashboardSessions } from '../../../src/daemon/dashboard/dashboard-sessions.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('daemon/dashboard/dashboard-sessions')

const HOUR = 3600

/** Sessions with a clock that the test moves. */
function openSessions(key = 'a key of the home folder') {
  let now = 1_800_000_000
  let tokens = 0
  const newToken = () => {
    tokens += 1
    return String(tokens).padStart(24, '0')
  }
  const sessions = createDashboardSessions({ key, newToken, wallNow: () => now })
  return { ...sessions, move: (seconds: number) => (now += seconds) }
}

function signIn({ createLogin, signIn }: ReturnType<typeof openSessions>) {
  const signedIn = signIn(createLogin())
  assert.ok(signedIn)
  return signedIn
}

test('a login signs in once', () => {
  const sessions = openSessions()
  const token = sessions.createLogin()
  assert.ok(sessions.signIn(token))
  assert.is(sessions.signIn(token), null)
})

test('a login ends after an hour', () => {
  const sessions = openSessions()
  const [used, unused] = [sessions.createLogin(), sessions.createLogin()]
  sessions.move(HOUR - 1)
  assert.ok(sessions.signIn(used))
  sessions.move(1)
  assert.is(sessions.signIn(unused), null)
})

test('keeps the newest hundred logins', () => {
  const sessions = openSessions()
  const tokens = Array.from({ length: 101 }, () => sessions.createLogin())
  assert.is(sessions.signIn(tokens[0] ?? ''), null)
  assert.ok(sessions.signIn(tokens[1] ?? ''))
  assert.ok(sessions.signIn(tokens[100] ?? ''))
})

test('a cookie is valid for a day', () => {
  const sessions = openSessions()
  const { cookie, id, csrfToken, expiresAt } = signIn(sessions)
  assert.equal(sessions.read(cookie), { id, csrfToken, expiresAt })
  sessions.move(24 * HOUR - 1)
  assert.ok(sessions.read(cookie))
  sessions.move(1)
  assert.is(sessions.read(cookie), null)
})

test('a cookie outlives a restart of the server, but not its key', () => {
  const { cookie } = signIn(openSessions())
  assert.ok(openSessions().read(cookie))
  assert.is(openSessions('the key of another home folder').read(cookie), null)
})

test('each session has its own CSRF token', () => {
  const sessions = openSessions()
  assert.is.not(signIn(sessions).csrfToken, signIn(sessions).csrfToken)
})

test('rejects every cookie that differs from a signed one', () => {
  const sessions = openSessions()
  const { cookie } = signIn(sessions)
  for (let at = 0; at < cookie.length; at += 1) {
    const other = cookie[at] === 'A' ? 'B' : 'A'
    assert.is(sessions.read(cookie.slice(0, at) + other + cookie.slice(at + 1)), null, `character ${at}`)
  }
  for (const forged of [undefined, '', '.', cookie.slice(1), `${cookie}A`, ` ${cookie}`])
    assert.is(sessions.read(forged), null)
})

test.run()
