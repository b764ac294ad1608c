import { api } from '../../src/api/api.ts'
import type { PauseCollection } from '../../src/domain/billing/pause-collection.ts'
import { subscribe, toNextPeriod } from '../support/billing.ts'
import { after, type Lifecycle, testLifecycle } from '../support/lifecycle.ts'
import type { Sandbox } from '../support/sandbox.ts'
import { suite } from '../support/suite.ts'

const test = suite('scenarios/pause-lifecycle')

type Behavior = PauseCollection['behavior']

/**
 * API actions on a subscription whose collection is paused, and its renewals. Each state names the behavior of the
 * pause (`written_off`: `mark_uncollectible`). Collection resumes at the renewal in `…_until` states, and one second
 * after the renewal in `void_longer`.
 */
const TABLE = `
  running            time        → active @1
      sub.renewed in.created in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid py:succeeded py:succeeded
  running            two_periods → active @2
      sub.renewed in.created in.finalized py.created py.succeeded in.paid sub.renewed in.created in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid in:paid py:succeeded py:succeeded py:succeeded
  running            resume      → same
  running            cancel      → canceled @0
      sub.canceled
      leaves pm sub:canceled in:paid py:succeeded
  running            end         → canceled @0 ending
      sub.updated sub.canceled
      leaves pm sub:canceled in:paid py:succeeded
  running,draft,written_off,draft_until,written_off_until,void_until,void_longer  pause       → active @0 void
      sub.updated
      leaves pm sub:active in:paid py:succeeded
  running,draft,written_off,void,draft_until,written_off_until,void_until,void_longer  past        → same ! timestamp_invalid

  draft              time        → active @1 keep_as_draft
      sub.renewed in.created
      leaves pm sub:active in:draft in:paid py:succeeded
  draft              two_periods → active @2 keep_as_draft
      sub.renewed in.created sub.renewed in.created
      leaves pm sub:active in:draft in:draft in:paid py:succeeded
  draft              end         → canceled @0 ending keep_as_draft
      sub.updated sub.canceled
      leaves pm sub:canceled in:paid py:succeeded
  draft,draft_until  cancel      → canceled @0 keep_as_draft
      sub.canceled
      leaves pm sub:canceled in:paid py:succeeded
  draft,written_off,void,draft_until,written_off_until,void_until,void_longer  resume      → active @0
      sub.updated
      leaves pm sub:active in:paid py:succeeded

  written_off        time        → active @1 mark_uncollectible
      sub.renewed in.created in.finalized in.marked_uncollectible
      leaves pm sub:active in:paid in:uncollectible py:succeeded
  written_off        two_periods → active @2 mark_uncollectible
      sub.renewed in.created in.finalized in.marked_uncollectible sub.renewed in.created in.finalized in.marked_uncollectible
      leaves pm sub:active in:paid in:uncollectible in:uncollectible py:succeeded
  written_off        end         → canceled @0 ending mark_uncollectible
      sub.updated sub.canceled
      leaves pm sub:canceled in:paid py:succeeded
  written_off,written_off_until  cancel      → canceled @0 mark_uncollectible
      sub.canceled
      leaves pm sub:canceled in:paid py:succeeded

  void               two_periods → active @2 void
      sub.renewed in.created in.voided sub.renewed in.created in.voided
      leaves pm sub:active in:paid in:void in:void py:succeeded
  void               pause       → same
  void,void_longer   time        → active @1 void
      sub.renewed in.created in.voided
      leaves pm sub:active in:paid in:void py:succeeded
  void,void_longer   end         → canceled @0 ending void
      sub.updated sub.canceled
      leaves pm sub:canceled in:paid py:succeeded
  void,void_until,void_longer  cancel      → canceled @0 void
      sub.canceled
      leaves pm sub:canceled in:paid py:succeeded

  draft_until,written_off_until,void_until  time        → active @1
      sub.updated sub.renewed in.created in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid py:succeeded py:succeeded
  draft_until,written_off_until,void_until  two_periods → active @2
      sub.updated sub.renewed in.created in.finalized py.created py.succeeded in.paid sub.renewed in.created in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid in:paid py:succeeded py:succeeded py:succeeded
  draft_until,written_off_until,void_until  end         → canceled @0 ending
      sub.updated sub.updated sub.canceled
      leaves pm sub:canceled in:paid py:succeeded

  void_longer        two_periods → active @2
      sub.renewed in.created in.voided sub.updated sub.renewed in.created in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid in:void py:succeeded py:succeeded

  canceled           time,two_periods → same
  canceled           pause,resume,past,cancel,end → same ! subscription_unexpected_state
`

const pause = (sandbox: Sandbox, id: string, behavior: Behavior, resumes_at: number | null = null) =>
  sandbox.call(api.subscriptions.update, { id, pause_collection: { behavior, resumes_at } })

const resume = (sandbox: Sandbox, id: string) =>
  sandbox.call(api.subscriptions.update, { id, pause_collection: null })

const end = (sandbox: Sandbox, id: string) =>
  sandbox.call(api.subscriptions.update, { id, cancel_at_period_end: true })

/** Returns a function that creates a subscription whose collection is paused. */
const paused =
  (behavior: Behavior) =>
  async (sandbox: Sandbox): Promise<string> => {
    const { id } = await subscribe(sandbox)
    await pause(sandbox, id, behavior)
    return id
  }

/** Creates a subscription whose collection is paused until its next renewal, or until a second after it. */
const pausedUntilRenewal =
  (behavior: Behavior, later = 0) =>
  async (sandbox: Sandbox) => {
    const { id, current_period_end } = await subscribe(sandbox)
    await pause(sandbox, id, behavior, (current_period_end ?? 0) + later)
    return id
  }

const stateOf = async (sandbox: Sandbox, id: string): Promise<string> => {
  const subscription = await sandbox.call(api.subscriptions.retrieve, { id })
  const { status, period_index, cancel_at_period_end, pause_collection } = subscription
  const words = [cancel_at_period_end ? 'ending' : '', pause_collection?.behavior ?? '']
  return [status, `@${period_index}`, ...words].filter((word) => word !== '').join(' ')
}

const LIFECYCLE: Lifecycle<string> = {
  table: TABLE,
  states: {
    running: async (sandbox) => (await subscribe(sandbox)).id,
    draft: paused('keep_as_draft'),
    written_off: paused('mark_uncollectible'),
    void: paused('void'),
    draft_until: pausedUntilRenewal('keep_as_draft'),
    written_off_until: pausedUntilRenewal('mark_uncollectible'),
    void_until: pausedUntilRenewal('void'),
    void_longer: pausedUntilRenewal('void', 1),
    canceled: after(paused('void'), (sandbox, id) => sandbox.call(api.subscriptions.cancel, { id })),
  },
  triggers: {
    time: toNextPeriod,
    two_periods: async (sandbox, id) => {
      await toNextPeriod(sandbox, id)
      await toNextPeriod(sandbox, id)
    },
    pause: (sandbox, id) => pause(sandbox, id, 'void'),
    resume,
    past: (sandbox, id) => pause(sandbox, id, 'void', sandbox.now()),
    cancel: (sandbox, id) => sandbox.call(api.subscriptions.cancel, { id }),
    end: async (sandbox, id) => {
      await end(sandbox, id)
      await toNextPeriod(sandbox, id)
    },
  },
  stateOf,
}

testLifecycle(test, LIFECYCLE)

test.run()
