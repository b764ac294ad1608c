import { createDashboardSessions } from '../../../src/daemon/dashboard/dashboard-sessions.ts'
import { createIdGenerators } from '../../../src/daemon/system/ids.ts'
import type { ApiKey } from '../../../src/domain/sandboxes/api-keys.ts'
import { createApiKey, revokeApiKey } from '../../../src/domain/sandboxes/api-keys.ts'
import { formatBrowserName } from '../../../src/domain/sandboxes/dashboard-sessions.ts'
import { commitRecordChanges } from '../../../src/engine/commit.ts'
import { createSandbox } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'
import { openTestSandbox } from '../sandboxes/open-test-sandbox.ts'

const test = suite('daemon/dashboard/dashboard-sessions')

const HOUR = 3600

/** Opens sessions in a sandbox with an API key, and a clock that the test moves. */
async function openSessions() {
  const world = await createSandbox()
  const sandbox = await openTestSandbox(world)
  const { store, newId, wallNow } = sandbox.runtime
  const newKey = async (name: string, expires_at?: number): Promise<ApiKey> => {
    const fields = { name, ...(expires_at !== undefined && { expires_at }) }
    const { key, digest } = createApiKey(
      fields,
      { secret: name, digest: name },
      { newId, wallNow: wallNow() },
    )
    return commitRecordChanges(store, async () => ({ changes: [key, digest], result: key.after }))
  }
  const sandboxes = {
    default: sandbox,
    opened: () => sandbox,
    find: async () => sandbox,
    allOpen: () => [sandbox],
  }
  const restart = () => createDashboardSessions({ sandboxes, newToken: createIdGenerators().newToken })
  const sessions = restart()
  const key = await newKey('team')
  const signIn = async (by = key) => {
    const signedIn = await sessions.signIn(sessions.createLogin('default', by.id), 'curl/8')
    assert.ok(signedIn)
    return signedIn
  }
  const move = (seconds: number) => world.setClock(world.now() + seconds)
  const revoke = (one: ApiKey) =>
    commitRecordChanges(store, async () => ({ changes: [revokeApiKey(one)], result: null }))
  return { sandbox, sessions, restart, key, newKey, signIn, move, revoke, now: world.now }
}

test('a login token is valid for one sign-in', async () => {
  const { sessions, key } = await openSessions()
  const token = sessions.createLogin('default', key.id)
  assert.ok(await sessions.signIn(token, ''))
  assert.is(await sessions.signIn(token, ''), null)
})

test('a login token expires after an hour', async () => {
  const { sessions, key, move } = await openSessions()
  const [used, unused] = [sessions.createLogin('default', key.id), sessions.createLogin('default', key.id)]
  move(HOUR - 1)
  assert.ok(await sessions.signIn(used, ''))
  move(1)
  assert.is(await sessions.signIn(unused, ''), null)
})

test('a login token becomes invalid when its API key is revoked', async () => {
  const { sessions, key, revoke } = await openSessions()
  const token = sessions.createLogin('default', key.id)
  await revoke(key)
  assert.is(await sessions.signIn(token, ''), null)
})

test('stores only the newest hundred login tokens of each sandbox', async () => {
  const { sessions, key } = await openSessions()
  const other = sessions.createLogin('sbx_other', key.id)
  const tokens = Array.from({ length: 101 }, () => sessions.createLogin('default', key.id))
  assert.is(await sessions.signIn(tokens[0] ?? '', ''), null)
  for (const token of [other, tokens[1], tokens[100]]) assert.ok(await sessions.signIn(token ?? '', ''))
})

test('a session lasts a day, also after a restart of the server', async () => {
  const { restart, signIn, move } = await openSessions()
  const { cookie, session, csrfToken } = await signIn()
  const found = await restart().read(cookie)
  assert.equal([found?.session, found?.csrfToken], [session, csrfToken])
  move(24 * HOUR - 1)
  assert.ok(await restart().read(cookie))
  move(1)
  assert.is(await restart().read(cookie), null)
})

test('a session ends when its API key is revoked or expires, but sessions of other keys continue', async () => {
  const { sandbox, sessions, key, newKey, signIn, move, revoke, now } = await openSessions()
  const expiring = await newKey('expiring', now() + HOUR)
  const [kept, ended, revoked] = [
    await signIn(await newKey('kept')),
    await signIn(expiring),
    await signIn(key),
  ]
  const areActive = () =>
    Promise.all(
      [kept, ended, revoked].map(async ({ cookie, session: { id } }) => {
        const isActive = await sessions.isActive(sandbox, id)
        assert.is((await sessions.read(cookie)) !== null, isActive)
        assert.is(
          (await sessions.list(sandbox)).some((one) => one.id === id),
          isActive,
        )
        return isActive
      }),
    )
  assert.equal(await areActive(), [true, true, true])
  await revoke(key)
  assert.equal(await areActive(), [true, true, false])
  move(HOUR)
  assert.equal(await areActive(), [true, false, false])
})

test('ends a session by its id', async () => {
  const { sandbox, sessions, signIn } = await openSessions()
  const [ended, kept] = [await signIn(), await signIn()]
  assert.is(await sessions.end(sandbox, ended.session.id), true)
  assert.is(await sessions.end(sandbox, ended.session.id), false)
  assert.is(await sessions.read(ended.cookie), null)
  assert.equal(await sessions.list(sandbox), [kept.session])
})

test('a sign-in deletes expired sessions and all but the newest hundred; the list is sorted newest first', async () => {
  const { sandbox, sessions, signIn, move } = await openSessions()
  await signIn()
  move(24 * HOUR)
  const all = []
  for (let n = 0; n < 101; n += 1) all.push((await signIn()).session)
  assert.equal(await sessions.list(sandbox), all.slice(1).reverse())
  assert.is(await sandbox.runtime.store.count('dashboard_sessions'), 100)
})

test('stores the secret of a cookie only as a digest', async () => {
  const { sandbox, signIn } = await openSessions()
  const { cookie, csrfToken } = await signIn()
  const stored = JSON.stringify(await sandbox.runtime.store.listOldest('dashboard_sessions', 10))
  for (const secret of [cookie.split('.')[2] ?? '', csrfToken]) assert.not.ok(stored.includes(secret))
})

test('each session has a different CSRF token', async () => {
  const { signIn } = await openSessions()
  assert.is.not((await signIn()).csrfToken, (await signIn()).csrfToken)
})

test('rejects every cookie that differs from the issued cookie', async () => {
  const { sessions, signIn } = await openSessions()
  const { cookie } = await signIn()
  for (let at = 'default'.length; at < cookie.length; at += 1) {
    const other = cookie[at] === 'A' ? 'B' : 'A'
    assert.is(
      await sessions.read(cookie.slice(0, at) + other + cookie.slice(at + 1)),
      null,
      `character ${at}`,
    )
  }
  for (const forged of [undefined, '', '..', cookie.slice(1), `${cookie}A`, ` ${cookie}`])
    assert.is(await sessions.read(forged), null)
})

const AGENTS = [
  ['Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0', 'Firefox on Linux'],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/138.0 Safari/537.36', 'Chrome on Windows'],
  ['Mozilla/5.0 (Macintosh) AppleWebKit/605.1 (KHTML) Version/18.5 Safari/605.1', 'Safari on macOS'],
  ['Mozilla/5.0 (Linux; Android 15) Chrome/138.0 Safari/537.36 EdgA/138.0', 'Edge on Android'],
  ['"><script>', 'Unknown browser'],
] as const

for (const [agent, name] of AGENTS)
  test(`returns the name '${name}' for the user agent ${agent}`, () =>
    assert.is(formatBrowserName(agent), name))

test.run()
