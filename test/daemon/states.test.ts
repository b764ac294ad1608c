import { copyFileSync, readdirSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { readStateOrigin, restoreState, saveState } from '../../src/daemon/states.ts'
import { loadDatabase } from '../../src/store/file/recovery.ts'
import { createDatabaseFolder, type DatabaseFolder } from '../store/file/lowdb-folder.ts'
import { customer, put } from '../store/fixture.ts'
import { newFolder } from '../support/folders.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite<{ database: DatabaseFolder; state: string }>('daemon/states')

test.before.each(async (context) => {
  context.database = await createDatabaseFolder()
  context.state = join(newFolder(), 'state.json')
})

test.after.each(({ database }) => database.dispose())

const customersIn = async (file: string) => (await loadDatabase(file)).records.count('customers')

test('saves a running database without a journal, with its origin', async ({ database, state }) => {
  const store = await database.open()
  await put(store, customer('cus_1'), customer('cus_2'))
  await saveState(database.file, state)
  await put(store, customer('cus_3'))
  await store.close()
  await restoreState(state, database.file)
  assert.is(await customersIn(database.file), 2)
  assert.is(await readStateOrigin(database.file), database.file)
})

test('restores a state with the changes in its journal', async ({ database, state }) => {
  const target = join(newFolder(), 'target.json')
  const store = await database.open()
  await put(store, customer('cus_1'))
  await store.close()
  await put(await database.open(), customer('cus_2'))
  for (const name of readdirSync(database.folder))
    copyFileSync(join(database.folder, name), name.replace(/^paycli\.json/, state))
  await restoreState(state, target)
  assert.is(await customersIn(target), 2)
})

test('a restored database ignores the journals of the replaced database', async ({ database, state }) => {
  await put(await database.open(), customer('cus_1'))
  await saveState(database.file, state)
  const target = join(newFolder(), 'paycli.json')
  for (const name of readdirSync(database.folder))
    copyFileSync(join(database.folder, name), name.replace(/^paycli\.json/, target))
  await restoreState(state, target)
  await rename(target, `${target}.aside`)
  copyFileSync(`${database.file}.journal-0`, `${target}.journal-0`)
  await rename(`${target}.aside`, target)
  assert.is(await customersIn(target), 1)
})

test.run()
