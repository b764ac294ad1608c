import fc from 'fast-check'
import { atEndOfFile } from './end-of-file.ts'
import { enterStoreScope, leaveStoreScope } from './test-store.ts'

atEndOfFile(() => fc.resetConfigureGlobal())

/** Ends the use of stores after each case of an asynchronous property in the current test file. */
export function releaseStoresAfterEachCase(): void {
  fc.configureGlobal({ asyncBeforeEach: async () => enterStoreScope(), asyncAfterEach: leaveStoreScope })
}
