import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findLocalDaemon } from '../../src/cli/discovery.ts'
import { isServed } from '../../src/cli/whereabouts.ts'
import { type Location, publishLocation, withdrawLocation } from '../../src/daemon/locator.ts'
import { openDaemon } from '../support/daemon.ts'
import { newFolder } from '../support/folders.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('daemon/locator')

const place: Location = {
  pid: 100,
  api_url: 'http://127.0.0.1:4100',
  checkout_url: 'http://127.0.0.1:4101',
  api_key: 'paysk_test_1',
  webhook_secret: 'whsec_1',
  db: null,
}
const locatorIn = (home: string) => join(home, 'daemon.json')
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
  assert.equal(readdirSync(join(home, 'services')), ['100.json'])
  assert.is((statSync(join(home, 'services', '100.json')).mode & 0o777).toString(8), '600')
})

test('it is taken back by its own process only', async () => {
  const home = newFolder()
  await publishLocation(home, place, { newSuffix, isServed })
  await withdrawLocation(home, 101)
  assert.ok(existsSync(locatorIn(home)))
  await withdrawLocation(home, 100)
  assert.not(existsSync(locatorIn(home)))
  await withdrawLocation(home, 100)
})

test('one that is damaged is left and stands in nobodys way', async () => {
  const home = newFolder()
  writeFileSync(locatorIn(home), '{"pid":1')
  await withdrawLocation(home, 1)
  assert.is(readFileSync(locatorIn(home), 'utf8'), '{"pid":1')
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
  assert.equal(readdirSync(join(home, 'services')).sort(), ['1.json', '2.json'])
  assert.is(findLocalDaemon({ PAYCLI_HOME: home }, api_url)?.api_key, api_key)
  await first.stop()
  await second.stop()
  assert.equal(readdirSync(join(home, 'services')), [])
})

test.run()
