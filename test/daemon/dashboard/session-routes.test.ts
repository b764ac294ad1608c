import { apiKeys } from '../../../src/api/operations/api-keys.ts'
import { sandboxes } from '../../../src/api/operations/sandboxes.ts'
import type { DashboardSessionView } from '../../../src/daemon/dashboard/session-routes.ts'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { createLogin, type SignedInBrowser, signIn } from '../../support/dashboard.ts'
import { newFolder } from '../../support/folders.ts'
import { errorIn, sendRequest } from '../../support/raw-http.ts'
import { assert, suite } from '../../support/suite.ts'
import { newDatabase } from '../../support/test-store.ts'
import { createKeyedSandbox, type KeyedSandbox, SCENES, send } from './dashboard-requests.ts'

const test = suite('daemon/dashboard/session-routes')

let daemon: TestDaemon
let own: KeyedSandbox

test.before(async () => {
  daemon = await openDaemon({ createScenes: () => SCENES })
  own = await createKeyedSandbox(daemon, 'own')
})

test.after(() => daemon?.stop())

async function readSessions(at: string, { headers }: SignedInBrowser): Promise<DashboardSessionView[]> {
  const response = await send(daemon, `/dashboard/${at}/sessions`, headers)
  assert.is(response.status, 200)
  return JSON.parse(response.text).data
}

const isSignedIn = async ({ headers }: SignedInBrowser, at = 'default') =>
  (await send(daemon, `/dashboard/${at}/v1/events`, headers)).status === 200

test('a session ends with its API key, and so do its streams', async () => {
  for (const [how, end] of [
    ['revoked', (id: string) => daemon.call(apiKeys.revoke, { id })],
    ['rolled', (id: string) => daemon.call(apiKeys.roll, { id })],
  ] as const) {
    const key = await daemon.call(apiKeys.create, { name: how })
    const [ended, kept] = [await signIn(daemon, await createLogin(daemon, key.secret)), await signIn(daemon)]
    const streams = await Promise.all([
      openStream(ended, 'default'),
      openStream(ended, own.id),
      openStream(kept, 'default'),
    ])
    await end(key.id)
    await daemon.tick()
    assert.equal(
      await Promise.all(streams.slice(0, 2).map(({ closed }) => closed)),
      ['session_ended', 'session_ended'],
      how,
    )
    assert.equal([await isSignedIn(ended), await isSignedIn(kept)], [false, true], how)
    for (const { abort } of streams) abort()
  }
})

test('a session ends when its sandbox is deleted, but not when its sandbox is reset', async () => {
  const sandbox = await createKeyedSandbox(daemon, 'short')
  const browser = await signIn(daemon, await createLogin(daemon, sandbox.key))
  await daemon.call(sandboxes.reset, { id: sandbox.id })
  assert.is(await isSignedIn(browser, sandbox.id), true)
  const { closed } = await openStream(browser, sandbox.id)
  await daemon.call(sandboxes.delete, { id: sandbox.id })
  assert.is(await closed, 'stopping')
  const response = await send(daemon, `/dashboard/${sandbox.id}/v1/events`, browser.headers)
  assert.equal([response.status, errorIn(response)['code']], [401, 'api_key_missing'])
  assert.is((await send(daemon, '/dashboard', browser.headers)).status, 401)
})

test('a copy of a sandbox has no sessions', async () => {
  const browser = await signIn(daemon, await createLogin(daemon, own.key))
  const { id } = await daemon.call(sandboxes.create, { from: own.id })
  const free = await signIn(daemon)
  assert.equal(await readSessions(id, free), [])
  const copied = browser.cookie.replace(own.id, id)
  assert.is(await isSignedIn({ cookie: copied, headers: { ...browser.headers, Cookie: copied } }, id), false)
})

test('a sign-out deletes the cookie and makes a copy of the cookie invalid', async () => {
  for (const [key, at] of [
    [daemon.location.api_key, 'default'],
    [own.key, own.id],
  ] as const) {
    const [ended, kept] = [
      await signIn(daemon, await createLogin(daemon, key)),
      await signIn(daemon, await createLogin(daemon, key)),
    ]
    const { closed } = await openStream(ended, at)
    const { status, headers } = await send(
      daemon,
      `/dashboard/${at}/sessions/current/end`,
      ended.headers,
      'POST',
    )
    assert.is(status, 200)
    assert.match(
      headers['set-cookie'] ?? '',
      /^paycli_dashboard_\d+=; path=\/dashboard; expires=Thu, 01 Jan 1970/,
    )
    assert.is(await closed, 'session_ended')
    assert.equal([await isSignedIn(ended, at), await isSignedIn(kept, at)], [false, true])
  }
})

test('lists the sessions of a sandbox, and ends the requested session', async () => {
  const sandbox = await createKeyedSandbox(daemon, 'listed')
  const login = () => createLogin(daemon, sandbox.key)
  const [first, second] = [await signIn(daemon, await login()), await signIn(daemon, await login())]
  const server = await signIn(daemon)
  const own = await readSessions(sandbox.id, second)
  assert.equal(own, await readSessions(sandbox.id, second))
  assert.equal(
    own.map(({ browser, is_current, api_key: { name } }) => [browser, is_current, name]),
    [
      ['Firefox on Linux', true, 'sandbox'],
      ['Firefox on Linux', false, 'sandbox'],
    ],
  )
  const text = JSON.stringify(own)
  for (const secret of [first, second].map(({ cookie }) => cookie.split('.')[2] ?? 'none'))
    assert.not.ok(text.includes(secret))
  const all = await readSessions('default', server)
  assert.ok(all.some(({ is_current }) => is_current))
  // No other sandbox lists a session of the default sandbox or can end it.
  const path = (id = '') => `/dashboard/${sandbox.id}/sessions/${id}/end`
  const foreign = await send(daemon, path(all[0]?.id), second.headers, 'POST')
  assert.equal([foreign.status, errorIn(foreign)['code']], [404, 'resource_missing'])
  assert.is((await send(daemon, path(own[1]?.id), second.headers, 'POST')).status, 200)
  assert.equal([await isSignedIn(first, sandbox.id), await isSignedIn(second, sandbox.id)], [false, true])
  // A session of the default sandbox can end the sessions of every sandbox.
  assert.is((await send(daemon, path(own[0]?.id), server.headers, 'POST')).status, 200)
  assert.equal([await isSignedIn(second, sandbox.id), await isSignedIn(server)], [false, true])
})

test('a session survives a restart of the server with a stored database', async () => {
  const [home, db] = [newFolder(), await newDatabase()]
  if (db === null) return
  const options = { createScenes: () => SCENES, home, db }
  const first = await openDaemon(options)
  const browser = await signIn(first)
  await first.stop()
  const second = await openDaemon({ ...options, port: Number(new URL(first.location.api_url).port) })
  try {
    const url = `${second.location.api_url}/dashboard/default/v1/events`
    assert.is((await sendRequest(url, { headers: browser.headers })).status, 200)
  } finally {
    await second.stop()
  }
})

/** Opens the event stream, and resolves with the reason for which it closes. */
async function openStream({ headers }: SignedInBrowser, at: string) {
  const controller = new AbortController()
  const url = `${daemon.location.api_url}/dashboard/${at}/v1/stream`
  const { body } = await fetch(url, { headers, signal: controller.signal })
  assert.ok(body)
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const read = async (part: RegExp): Promise<string | undefined> => {
    for (let found = part.exec(text); ; found = part.exec(text)) {
      if (found !== null) return found[1]
      const { value, done } = await reader.read()
      if (done) return undefined
      text += value
    }
  }
  await read(/event: ready/)
  const closed = read(/"reason":"(\w+)"/).catch(() => undefined)
  return { closed, abort: () => controller.abort() }
}

test.run()
