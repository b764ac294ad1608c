import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { readProcessStart } from '../../src/cli/service/process-start.ts'
import { findLocalDaemon, findServerSecret } from '../../src/cli/service/service-discovery.ts'
import { isServiceRunning, listRunningServices } from '../../src/cli/service/service-status.ts'
import { type DaemonLocation, publishLocation } from '../../src/daemon/locator.ts'
import { StartupError } from '../../src/domain/core/startup-error.ts'
import { openDaemon } from '../support/daemon.ts'
import { newFolder } from '../support/folders.ts'
import { freePort } from '../support/ports.ts'
import { sendRequest } from '../support/raw-http.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('daemon/locator')

const location: DaemonLocation = {
  pid: 100,
  api_url: 'http://127.0.0.1:4100',
  public_api_url: null,
  checkout_url: 'http://127.0.0.1:4101',
  api_key: 'paysk_test_1',
  webhook_secret: 'whsec_1',
  db: null,
}
/** A pid above the maximum. */
const ENDED = 4_194_305
const locatorIn = (home: string) => join(home, 'daemon.json')
const servicesIn = (home: string) => readdirSync(join(home, 'services'))

/** Publishes a location with changed fields; returns it with the record in its files. */
async function publish(
  home: string,
  fields: Partial<DaemonLocation> = {},
  options: Partial<Parameters<typeof publishLocation>[0]> = {},
) {
  const given = { ...location, ...fields }
  const published = await publishLocation({ home, isServiceRunning, ...options }, given)
  await published.replaceEndedDaemons()
  return { ...published, recorded: { ...given, server_secret: published.serverSecret } }
}

test('writes the location files with mode 0600', async () => {
  const home = join(newFolder(), 'home')
  const { recorded } = await publish(home)
  assert.equal(JSON.parse(readFileSync(locatorIn(home), 'utf8')), recorded)
  assert.is((statSync(locatorIn(home)).mode & 0o777).toString(8), '600')
  assert.equal(readdirSync(home), ['daemon.json', 'services'])
  const [name = '', ...more] = servicesIn(home)
  assert.equal(more, [])
  assert.is((statSync(join(home, 'services', name)).mode & 0o777).toString(8), '600')
})

test('writes the start time of the process to the location files', async () => {
  const home = newFolder()
  const { recorded } = await publish(home, {}, { processStart: 'boot 1' })
  const record = { ...recorded, process_start: 'boot 1' }
  const [name = ''] = servicesIn(home)
  for (const file of [locatorIn(home), join(home, 'services', name)])
    assert.equal(JSON.parse(readFileSync(file, 'utf8')), record)
})

test('a daemon removes daemon.json only if the file belongs to that daemon', async () => {
  const home = newFolder()
  const ended = { isServiceRunning: async () => false }
  const first = await publish(home, {}, ended)
  const other = { pid: 101, api_url: 'http://127.0.0.1:4200' }
  const second = await publish(home, other, ended)
  await first.withdraw()
  assert.equal(JSON.parse(readFileSync(locatorIn(home), 'utf8')), second.recorded)
  await second.withdraw()
  assert.not(existsSync(locatorIn(home)))
  await second.withdraw()
})

test('ignores a damaged daemon.json and does not remove the file', async () => {
  const home = newFolder()
  const { withdraw } = await publish(home)
  writeFileSync(locatorIn(home), '{"pid":100')
  await withdraw()
  assert.is(readFileSync(locatorIn(home), 'utf8'), '{"pid":100')
  const { recorded } = await publish(home)
  assert.equal(JSON.parse(readFileSync(locatorIn(home), 'utf8')), recorded)
})

test('keeps records of servers with the same pid in different containers', async () => {
  const home = newFolder()
  const running = { isServiceRunning: async () => true }
  const first = await publish(home, {}, running)
  await publish(home, { api_url: 'http://127.0.0.1:4200' }, running)
  assert.is(servicesIn(home).length, 2)
  await first.withdraw()
  assert.is(servicesIn(home).length, 1)
})

test('ignores other files in the folder, and rejects a link or a file in place of the folder', async () => {
  const home = newFolder()
  mkdirSync(join(home, 'services', '7.json'), { recursive: true })
  await publish(home)
  assert.is(servicesIn(home).length, 2)
  const elsewhere = newFolder()
  const linked = newFolder()
  symlinkSync(elsewhere, join(linked, 'services'))
  const filed = newFolder()
  writeFileSync(join(filed, 'services'), '')
  for (const [where, said] of [
    [linked, /services is a symbolic link, which paycli does not follow\. Remove it/],
    [filed, /services is not a folder\. Remove it/],
  ] as const) {
    const error = await publish(where).catch((thrown: unknown) => thrown)
    assert.instance(error, StartupError)
    assert.match(String(error), said)
  }
  assert.equal(readdirSync(elsewhere), [])
})

test('treats a slow server as running while its process exists', async () => {
  const silent = createServer(() => {})
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  const api_url = `http://127.0.0.1:${Object(silent.address()).port}`
  const { pid } = process
  // Each check waits for the whole timeout, so the checks run concurrently.
  const running = [
    isServiceRunning({ pid, api_url }),
    isServiceRunning({ pid: ENDED, api_url }),
    isServiceRunning({ pid, api_url, process_start: readProcessStart(pid) }),
    isServiceRunning({ pid, api_url, process_start: 'an earlier one' }),
  ]
  assert.equal(await Promise.all(running), [true, false, true, false])
  silent.closeAllConnections()
  silent.close()
})

test('a second daemon reports the running first daemon and does not replace its record', async () => {
  // Pid 1 always runs.
  const first = await openDaemon({ pid: 1 })
  const second = await openDaemon({ pid: 2, home: first.home })
  const { api_url, api_key, webhook_secret } = first.location
  assert.is(first.foundInstead, null)
  assert.is(second.foundInstead, api_url)
  await second.stop()
  assert.equal(findLocalDaemon({ PAYCLI_HOME: first.home }), { api_url, api_key, webhook_secret })
  await first.stop()
  assert.is(findLocalDaemon({ PAYCLI_HOME: first.home }), null)
})

test('replaces the record of a killed daemon, even if another process has its pid', async () => {
  // Pid 1 always runs.
  for (const pid of [ENDED, 1]) {
    const home = newFolder()
    await publish(home, { pid, api_url: 'http://127.0.0.1:9' })
    const daemon = await openDaemon({ home })
    assert.is(daemon.foundInstead, null)
    assert.is(findLocalDaemon({ PAYCLI_HOME: home })?.api_url, daemon.location.api_url)
    await daemon.stop()
  }
})

test('a daemon responds only after it has published its location', async () => {
  const [home, port] = [newFolder(), await freePort()]
  await publish(home, { pid: ENDED, api_url: `http://127.0.0.1:${port}` })
  let found: Promise<unknown> | null = null
  const daemon = await openDaemon({
    ...{ home, port },
    createScenes() {
      found = sendRequest(`http://127.0.0.1:${port}/healthz`).then(() =>
        findLocalDaemon({ PAYCLI_HOME: home }),
      )
      return { list: async () => [], run: async () => ({}), runFixtures: async () => ({}) }
    },
  })
  const { api_url, api_key, webhook_secret } = daemon.location
  assert.equal(await found, { api_url, api_key, webhook_secret })
  await daemon.stop()
})

test('a daemon that waits for another daemon responds, and its secret is known', async () => {
  const [home, port] = [newFolder(), await freePort()]
  const api_url = `http://127.0.0.1:${port}`
  await publish(home, { pid: ENDED, api_url: 'http://127.0.0.1:9' })
  const found: (string | null)[] = []
  const daemon = await openDaemon({
    ...{ home, port },
    async isServiceRunning() {
      const response = sendRequest(`${api_url}/healthz`).then(() =>
        findServerSecret({ PAYCLI_HOME: home }, api_url),
      )
      found.push(await Promise.race([response, setTimeout(1000, 'no response')]))
      return false
    },
  })
  const { server_secret } = JSON.parse(readFileSync(locatorIn(home), 'utf8'))
  assert.equal(found, [server_secret, server_secret])
  await daemon.stop()
})

test('a daemon that does not start withdraws its location', async () => {
  const home = newFolder()
  await publish(home, { pid: ENDED, api_url: 'http://127.0.0.1:9' })
  let checks = 0
  const isServiceRunning = async () => {
    checks += 1
    if (checks > 1) throw new Error('no file descriptor left')
    return false
  }
  assert.match(String(await openDaemon({ home, isServiceRunning }).catch(String)), 'no file descriptor left')
  const pids = servicesIn(home).map(
    (name) => JSON.parse(readFileSync(join(home, 'services', name), 'utf8')).pid,
  )
  assert.not(pids.includes(process.pid))
})

test('a new daemon replaces the record of a killed daemon at its own address and sends no request to the address', async () => {
  const home = newFolder()
  const port = await freePort()
  await publish(home, { pid: ENDED, api_url: `http://127.0.0.1:${port}` })
  const checked: string[] = []
  const isServiceRunning = async ({ api_url }: { readonly api_url: string }) => checked.push(api_url) > 0
  const daemon = await openDaemon({ home, port, isServiceRunning })
  assert.equal([checked, servicesIn(home).length, daemon.foundInstead], [[], 1, null])
  await daemon.stop()
})

test('a daemon that stops accepts no connection after its location is withdrawn', async () => {
  const daemon = await openDaemon()
  const stopped = daemon.stop()
  assert.match(String(await sendRequest(`${daemon.location.api_url}/healthz`).catch(String)), 'ECONNREFUSED')
  await stopped
})

test('does not treat a response from another process as a response of the recorded daemon', async () => {
  const other = await openDaemon()
  const home = newFolder()
  const { api_url } = other.location
  await publish(home, { pid: 1, api_url })
  const daemon = await openDaemon({ home })
  assert.is(daemon.foundInstead, null)
  await daemon.stop()
  await other.stop()
})

test('keeps a record for each running daemon and removes stale records', async () => {
  const home = newFolder()
  await publish(home, { pid: ENDED })
  const first = await openDaemon({ pid: 1, home })
  const second = await openDaemon({ pid: 2, home })
  const { api_url, api_key } = second.location
  assert.is(servicesIn(home).length, 2)
  assert.is(findLocalDaemon({ PAYCLI_HOME: home }, api_url)?.api_key, api_key)
  await first.stop()
  await second.stop()
  assert.equal(servicesIn(home), [])
})

test('a server with the address and pid of a killed server does not count as running without its secret', async () => {
  const daemon = await openDaemon({ pid: 1 })
  const { api_url } = daemon.location
  const { server_secret } = JSON.parse(readFileSync(locatorIn(daemon.home), 'utf8'))
  assert.is(await isServiceRunning({ pid: 1, api_url, server_secret }), true)
  assert.is(await isServiceRunning({ pid: 1, api_url, server_secret: 'another' }), false)
  await daemon.stop()
})

test('the CLI deletes the files of a killed daemon', async () => {
  const home = newFolder()
  await publish(home, { pid: ENDED, api_url: 'http://127.0.0.1:9' })
  assert.equal(await listRunningServices({ PAYCLI_HOME: home }), [])
  assert.not(existsSync(locatorIn(home)))
  assert.equal(servicesIn(home), [])
})

test('the CLI ignores and keeps the files of a killed daemon while another program has its address', async () => {
  const other = await openDaemon()
  const home = newFolder()
  await publish(home, { pid: ENDED, api_url: other.location.api_url })
  assert.equal(await listRunningServices({ PAYCLI_HOME: home }), [])
  assert.ok(existsSync(locatorIn(home)))
  await other.stop()
})

test.run()
