import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findLocalDaemon } from '../../src/cli/discovery.ts'
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
  await publishLocation(home, place, newSuffix)
  assert.equal(JSON.parse(readFileSync(locatorIn(home), 'utf8')), place)
  assert.is((statSync(locatorIn(home)).mode & 0o777).toString(8), '600')
  assert.equal(readdirSync(home), ['daemon.json'])
})

test('it is taken back by its own process only', async () => {
  const home = newFolder()
  await publishLocation(home, place, newSuffix)
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

test('a daemon that starts writes over what a killed one left behind', async () => {
  const home = newFolder()
  // Above the largest pid there can be.
  await publishLocation(home, { ...place, pid: 4_194_305 }, newSuffix)
  const daemon = await openDaemon({ home })
  assert.is(findLocalDaemon({ PAYCLI_HOME: home })?.api_url, daemon.location.api_url)
  await daemon.stop()
})

test.run()
