import type { Mutation } from './mutation.ts'
import { securityMutations } from './security.ts'
import { guardMutations } from './webhooks-guard.ts'
import { sendingMutations } from './webhooks-sending.ts'
import { signingMutations } from './webhooks-signing.ts'
import { streamMutations } from './webhooks-stream.ts'
import { workerMutations } from './webhooks-worker.ts'

/** All mutations: at least one for each webhook rule, and for each of the security rules 1 to 17. */
export const ALL_MUTATIONS: readonly Mutation[] = [
  ...signingMutations,
  ...sendingMutations,
  ...workerMutations,
  ...guardMutations,
  ...streamMutations,
  ...securityMutations,
]
