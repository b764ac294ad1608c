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
import { processStart } from '../../src/cli/service/process-start.ts'
import { findLocalDaemon } from '../../src/cli/service/service-discovery.ts'
import { isServed } from '../../src/cli/service/service-status.ts'
import { type Location, publishLocation } from '../../src/daemon/locator.ts'
import { StartupProblem } from '../../src/domain/startup-problem.ts'
import { openDaemon } from '../support/daemon.ts'
import { newFolder } from '../support/folders.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('daemon/locator')

const place: Location = {
  pid: 100,
  api_url: 'http://127.0.0.1:4100',
  public_api_url: null,
  checkout_url: 'http://127.0.0.1:4101',
  api_key: 'paysk_test_1',
  webhook_secret: 'whsec_1',
  db: null,
}
const locatorIn = (home: string) => join(home, 'daemon.json')
const servicesIn = (home: string) => readdirSync(join(home, 'services'))
let suffixes = 0
const newSuffix = () => {
  suffixes += 1
  return `suffix${suffixes}`
}

test('it is the place, whole, for its owner only', async () => {
  const home = join(newFolder(), 'home')
  await publishLocation(home, place, { newSuffix, isServed })
  assert.equal(JSON.parse(readFileSync(locatorIn(home), 'utf8')), place)
  assert.is((statSync(locatorIn(home)).mode & 0o777).toString(8), '600')
  assert.equal(readdirSync(home), ['daemon.json', 'services'])
  const [name = '', ...more] = servicesIn(home)
  assert.equal(more, [])
  assert.is((statSync(join(home, 'services', name)).mode & 0o777).toString(8), '600')
})

test('it says what tells its process from a later one of the same number', async () => {
  const home = newFolder()
  await publishLocation(home, place, { newSuffix, isServed, processStart: 'boot 1' })
  const record = { ...place, process_start: 'boot 1' }
  const [name = ''] = servicesIn(home)
  for (const file of [locatorIn(home), join(home, 'services', name)])
    assert.equal(JSON.parse(readFileSync(file, 'utf8')), record)
})

test('it is taken back by who published it only', async () => {
  const home = newFolder()
  const nobody = async () => false
  const first = await publishLocation(home, place, { newSuffix, isServed: nobody })
  const other = { ...place, pid: 101, api_url: 'http://127.0.0.1:4200' }
  const second = await publishLocation(home, other, { newSuffix, isServed: nobody })
  await first.withdraw()
  assert.equal(JSON.parse(readFileSync(locatorIn(home), 'utf8')), other)
  await second.withdraw()
  assert.not(existsSync(locatorIn(home)))
  await second.withdraw()
})

test('one that is damaged stands in nobodys way, and is left when it is not this daemons', async () => {
  const home = newFolder()
  const { withdraw } = await publishLocation(home, place, { newSuffix, isServed })
  writeFileSync(locatorIn(home), '{"pid":100')
  await withdraw()
  assert.is(readFileSync(locatorIn(home), 'utf8'), '{"pid":100')
  await publishLocation(home, place, { newSuffix, isServed })
  assert.equal(JSON.parse(readFileSync(locatorIn(home), 'utf8')), place)
})

test('services of one number in two containers stand beside each other', async () => {
  const home = newFolder()
  const everybody = async () => true
  const other = { ...place, api_url: 'http://127.0.0.1:4200' }
  const first = await publishLocation(home, place, { newSuffix, isServed: everybody })
  await publishLocation(home, other, { newSuffix, isServed: everybody })
  assert.is(servicesIn(home).length, 2)
  await first.withdraw()
  assert.is(servicesIn(home).length, 1)
})

test('what is no record among them is left, and a folder that is none of this user is refused', async () => {
  const home = newFolder()
  mkdirSync(join(home, 'services', '7.json'), { recursive: true })
  await publishLocation(home, place, { newSuffix, isServed })
  assert.is(servicesIn(home).length, 2)
  const elsewhere = newFolder()
  const linked = newFolder()
  symlinkSync(elsewhere, join(linked, 'services'))
  const filed = newFolder()
  writeFileSync(join(filed, 'services'), '')
  for (const [where, said] of [
    [linked, /services is a symbolic link, which is not followed\. Remove it/],
    [filed, /services is no folder\. Remove it/],
  ] as const) {
    const error = await publishLocation(where, place, { newSuffix, isServed }).catch(
      (thrown: unknown) => thrown,
    )
    assert.instance(error, StartupProblem)
    assert.match(String(error), said)
  }
  assert.equal(readdirSync(elsewhere), [])
})

test('a service that takes long to answer is still there while its process is', async () => {
  const silent = createServer(() => {})
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  const api_url = `http://127.0.0.1:${Object(silent.address()).port}`
  assert.is(await isServed({ pid: process.pid, api_url }), true)
  assert.is(await isServed({ pid: 4_194_305, api_url }), false)
  const process_start = processStart(process.pid)
  assert.is(await isServed({ pid: process.pid, api_url, process_start }), true)
  assert.is(await isServed({ pid: process.pid, api_url, process_start: 'an earlier one' }), false)
  silent.closeAllConnections()
  silent.close()
})

test('a daemon is found by the command line while it runs', async () => {
  const daemon = await openDaemon()
  const { api_url, api_key, webhook_secret } = daemon.location
  assert.equal(findLocalDaemon({ PAYCLI_HOME: daemon.home }), { api_url, api_key, webhook_secret })
  await daemon.stop()
  assert.is(findLocalDaemon({ PAYCLI_HOME: daemon.home }), null)
})

test('a second daemon takes nothing over from the first, and says which one is found', async () => {
  // Pid 1 always runs.
  const first = await openDaemon({ pid: 1 })
  const second = await openDaemon({ pid: 2, home: first.home })
  assert.is(first.foundInstead, null)
  assert.is(second.foundInstead, first.location.api_url)
  await second.stop()
  assert.is(findLocalDaemon({ PAYCLI_HOME: first.home })?.api_url, first.location.api_url)
  await first.stop()
  assert.is(findLocalDaemon({ PAYCLI_HOME: first.home }), null)
})

test('a daemon that starts writes over what a killed one left behind, also when its number is another program now', async () => {
  // Above the largest pid there can be, and one that always runs.
  for (const pid of [4_194_305, 1]) {
    const home = newFolder()
    await publishLocation(home, { ...place, pid, api_url: 'http://127.0.0.1:9' }, { newSuffix, isServed })
    const daemon = await openDaemon({ home })
    assert.is(daemon.foundInstead, null)
    assert.is(findLocalDaemon({ PAYCLI_HOME: home })?.api_url, daemon.location.api_url)
    await daemon.stop()
  }
})

test('what answers as another process is not the daemon that was written down', async () => {
  const other = await openDaemon()
  const home = newFolder()
  const { api_url } = other.location
  await publishLocation(home, { ...place, pid: 1, api_url }, { newSuffix, isServed })
  const daemon = await openDaemon({ home })
  assert.is(daemon.foundInstead, null)
  await daemon.stop()
  await other.stop()
})

test('every daemon that runs is written down, and forgotten when its process is gone', async () => {
  const home = newFolder()
  await publishLocation(home, { ...place, pid: 4_194_305 }, { newSuffix, isServed })
  const first = await openDaemon({ pid: 1, home })
  const second = await openDaemon({ pid: 2, home })
  const { api_url, api_key } = second.location
  assert.is(servicesIn(home).length, 2)
  assert.is(findLocalDaemon({ PAYCLI_HOME: home }, api_url)?.api_key, api_key)
  await first.stop()
  await second.stop()
  assert.equal(servicesIn(home), [])
})

test.run()
