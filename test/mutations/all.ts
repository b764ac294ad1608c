import type { Mutation } from './mutation.ts'
import { security } from './security.ts'
import { guard } from './webhooks-guard.ts'
import { sending } from './webhooks-sending.ts'
import { signing } from './webhooks-signing.ts'
import { stream } from './webhooks-stream.ts'
import { worker } from './webhooks-worker.ts'

/** A mutation for each part of each numbered rule. */
export const ALL_MUTATIONS: readonly Mutation[] = [
  ...signing,
  ...sending,
  ...worker,
  ...guard,
  ...stream,
  ...security,
]
