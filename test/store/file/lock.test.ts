import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { lockDatabase } from '../../../src/store/file/lock.ts'
import { assert, suite } from '../../support/suite.ts'
import { codeOf, rejection } from '../fixture.ts'
import { endChildren, startChild } from './lowdb-child.ts'
import { createDatabaseFolder, type DatabaseFolder } from './lowdb-folder.ts'

const test = suite<{ place: DatabaseFolder }>('store/lock')

const HOLDER = { pid: 4242, url: 'http://127.0.0.1:4100' }

test.before.each(async (context) => {
  context.place = await createDatabaseFolder()
  await mkdir(context.place.folder, { recursive: true })
})

test.after.each(async ({ place }) => {
  await endChildren()
  await place.dispose()
})

const lock = ({ file }: DatabaseFolder) =>
  lockDatabase(file, { holder: HOLDER, newSuffix: () => 'unguessable' })

test('rejects a second lock and names the holder', async ({ place }) => {
  const held = await lock(place)
  const { message } = await rejection(lock(place))
  for (const part of [place.file, 'pid 4242', 'http://127.0.0.1:4100']) assert.match(message, part)
  await held.release()
  await (await lock(place)).release()
  assert.equal(await readdir(place.folder), ['paycli.json.lock'])
})

test('rejects a lock by another process until the holder is killed', async ({ place }) => {
  const first = startChild({ file: place.file })
  assert.is((await first.report()).error, null)
  const second = startChild({ file: place.file })
  const { error } = await second.report()
  assert.match(
    error ?? '',
    `${place.file} is in use by the paycli server with pid ${first.process.pid} at http://127.0.0.1:4321`,
  )
  assert.is(await second.ended, null)
  const { message } = await rejection(place.open())
  assert.match(message, `pid ${first.process.pid} `)
  first.process.kill('SIGKILL')
  await first.ended
  await (await place.open()).close()
})

test('a rejected lock does not change the holder file', async ({ place }) => {
  const held = await lock(place)
  const before = await readFile(`${place.file}.lock-holder`, 'utf8')
  await rejection(lock(place))
  assert.is(await readFile(`${place.file}.lock-holder`, 'utf8'), before)
  assert.equal(JSON.parse(before), HOLDER)
  await held.release()
})

test('rejects a second lock when the holder file is unreadable', async ({ place }) => {
  const held = await lock(place)
  await writeFile(`${place.file}.lock-holder`, 'no JSON')
  assert.match((await rejection(lock(place))).message, 'in use by another process')
  await held.release()
})

test('reports an invalid lock file as lock_failed', async ({ place }) => {
  await writeFile(`${place.file}.lock`, 'This is not the lock of a database. '.repeat(100))
  assert.is(await codeOf(lock(place)), 'lock_failed')
  await rejection(lock({ ...place, file: `${place.folder}/missing/paycli.json` }))
})

test.run()
