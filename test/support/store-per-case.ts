import fc from 'fast-check'
import { atEndOfFile } from './end-of-file.ts'
import { enterStoreScope, leaveStoreScope } from './test-store.ts'

atEndOfFile(() => fc.resetConfigureGlobal())

/** In this test file, ends the use of the stores of each case of an asynchronous property after the case. */
export function releaseStoresAfterEachCase(): void {
  fc.configureGlobal({ asyncBeforeEach: async () => enterStoreScope(), asyncAfterEach: leaveStoreScope })
}
