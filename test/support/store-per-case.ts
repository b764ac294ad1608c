import fc from 'fast-check'
import { enterStoreScope, leaveStoreScope } from './test-store.ts'

// Importing this file ends the use of the stores of each case of an asynchronous property after the case.
fc.configureGlobal({ asyncBeforeEach: async () => enterStoreScope(), asyncAfterEach: leaveStoreScope })
