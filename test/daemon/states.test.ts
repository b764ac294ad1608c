import { copyFileSync, readdirSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { originOf, restoreState, saveState } from '../../src/daemon/states.ts'
import { loadDatabase } from '../../src/store/file/recovery.ts'
import { type DatabaseFolder, makeFolder } from '../store/file/lowdb-folder.ts'
import { customer, put } from '../store/fixture.ts'
import { newFolder } from '../support/folders.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite<{ place: DatabaseFolder; state: string }>('daemon/states')

test.before.each(async (context) => {
  context.place = await makeFolder()
  context.state = join(newFolder(), 'state.json')
})

test.after.each(({ place }) => place.dispose())

const customersIn = async (file: string) => (await loadDatabase(file)).records.count('customers')

test('a state of a running database is whole without a journal, and keeps its origin when restored', async ({
  place,
  state,
}) => {
  const store = await place.open()
  await put(store, customer('cus_1'), customer('cus_2'))
  await saveState(place.file, state)
  await put(store, customer('cus_3'))
  await store.close()
  await restoreState(state, place.file)
  assert.is(await customersIn(place.file), 2)
  assert.is(await originOf(place.file), place.file)
})

test('a state that was opened as a database is restored with the changes in its journal', async ({
  place,
  state,
}) => {
  const target = join(newFolder(), 'target.json')
  const store = await place.open()
  await put(store, customer('cus_1'))
  await store.close()
  await put(await place.open(), customer('cus_2'))
  for (const name of readdirSync(place.folder))
    copyFileSync(join(place.folder, name), name.replace(/^paycli\.json/, state))
  await restoreState(state, target)
  assert.is(await customersIn(target), 2)
})

test('a restored database is whole though journals of the old one are still there', async ({
  place,
  state,
}) => {
  await put(await place.open(), customer('cus_1'))
  await saveState(place.file, state)
  const target = join(newFolder(), 'paycli.json')
  for (const name of readdirSync(place.folder))
    copyFileSync(join(place.folder, name), name.replace(/^paycli\.json/, target))
  await restoreState(state, target)
  await rename(target, `${target}.aside`)
  copyFileSync(`${place.file}.journal-0`, `${target}.journal-0`)
  await rename(`${target}.aside`, target)
  assert.is(await customersIn(target), 1)
})

test.run()
