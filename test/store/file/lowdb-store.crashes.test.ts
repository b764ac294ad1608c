import { assert, suite } from '../../support/suite.ts'
import { customer, idsOf, put, upTo, waitForNextTurn } from '../fixture.ts'
import { storeConformance } from '../port/conformance.ts'
import { copyFolder, createDatabaseFolder, openCrashing } from './lowdb-folder.ts'

const PROPERTY_RUNS = 10

storeConformance('store/lowdb without clean close', () => openCrashing(), { runs: PROPERTY_RUNS })

const test = suite('store/lowdb crashes')

test('opens several times in a row after a crash during checkpoints', async () => {
  const place = await createDatabaseFolder()
  const store = await place.open({ minJournalBytes: 0 })
  for (const number of upTo(40)) {
    await put(store, customer(`cus_${number}`))
    for (const _ of upTo(number % 5)) await waitForNextTurn()
    if (number % 4 > 0) continue
    const copy = await copyFolder(place)
    for (const _ of upTo(3)) {
      const opened = await copy.open()
      assert.is((await idsOf(opened, 'customers')).length, number)
      await opened.close()
    }
    await copy.dispose()
  }
  await place.dispose()
})

test.run()
