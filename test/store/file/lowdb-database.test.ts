import { databaseConformance } from '../port/database-conformance.ts'
import { createDatabaseFolder } from './lowdb-folder.ts'

databaseConformance('store/lowdb sandboxes', {
  storages: ['durable', 'memory'],
  open: async () => {
    const place = await createDatabaseFolder()
    const database = await place.openDatabase()
    return {
      database,
      async reopen() {
        await database.close()
        return place.openDatabase()
      },
      dispose: place.dispose,
    }
  },
})
