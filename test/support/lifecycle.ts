import { findResourceByObjectName } from '../../src/api/resources/catalog.ts'
import { DomainError } from '../../src/domain/core/domain-error.ts'
import type { DunningPolicy } from '../../src/domain/core/dunning.ts'
import type { Event } from '../../src/domain/events/events.ts'
import type { Snapshot } from '../../src/engine/invariants.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { createSandbox, type Sandbox } from './sandbox.ts'
import { assert, type suite } from './suite.ts'

/** One cell: a state, a trigger, the expected next state and the expected records and events. */
interface Row {
  readonly state: string
  readonly trigger: string
  /**
   * The next state or `same`, optionally followed by ` ! ` and an error code. The next lines list the events and the
   * remaining objects.
   */
  readonly outcome: string
}

export interface Lifecycle<S> {
  /** Prefix of test titles, for suites with several tables. */
  readonly name?: string
  /** Retry schedule of failed charges (default: the default of the server). */
  readonly dunning?: DunningPolicy
  /**
   * Rows of `states triggers → next ! error`, with events and `leaves …` on indented lines below. States and triggers are
   * separated by commas; a row is the outcome of each trigger in each state.
   */
  readonly table: string
  /** Functions that bring a new sandbox into each state. */
  readonly states: Readonly<Record<string, (sandbox: Sandbox) => Promise<S>>>
  readonly triggers: Readonly<Record<string, (sandbox: Sandbox, subject: S) => Promise<unknown>>>
  /** Returns the current state. */
  readonly stateOf: (sandbox: Sandbox, subject: S) => Promise<string>
}

/** Returns a function that brings a sandbox into a state and then runs steps on its subject. */
export const after =
  <S>(
    start: (sandbox: Sandbox) => Promise<S>,
    ...steps: readonly ((sandbox: Sandbox, subject: S) => Promise<unknown>)[]
  ) =>
  async (sandbox: Sandbox): Promise<S> => {
    const subject = await start(sandbox)
    for (const step of steps) await step(sandbox, subject)
    return subject
  }

/** Adds a test for every cell of a lifecycle table, and a test that fails when a cell is missing. */
export function testLifecycle<S>(test: ReturnType<typeof suite>, lifecycle: Lifecycle<S>): void {
  const rows = parseTable(lifecycle.table)
  const name = lifecycle.name === undefined ? '' : `${lifecycle.name}: `
  const cells = Object.keys(lifecycle.states).flatMap((state) =>
    Object.keys(lifecycle.triggers).map((trigger) => `${state} ${trigger}`),
  )
  test(`${name}the table has a row for every trigger in every state`, () => {
    assert.equal(rows.map(({ state, trigger }) => `${state} ${trigger}`).sort(), cells.sort())
  })
  for (const row of rows) {
    const [first = ''] = row.outcome.split('\n')
    test(`${name}the trigger ${row.trigger} in state ${row.state} results in ${first.replace(/^same/, 'the same state').replace(' ! ', ' and throws ')}`, async () => {
      assert.is(await whatHappens(lifecycle, row), row.outcome)
    })
  }
}

function parseTable(table: string): Row[] {
  const rows: { states: string; triggers: string; outcome: string }[] = []
  for (const line of table.split('\n').map((each) => each.trimEnd())) {
    const [, states, triggers, next] = /^ {2}(\S+)\s+(\S+)\s+→ (.+)$/.exec(line) ?? []
    const last = rows.at(-1)
    if (states && triggers && next) rows.push({ states, triggers, outcome: next })
    else if (last && line !== '') last.outcome += `\n${line.trim()}`
    else if (line !== '') throw new Error(`not a row: ${line}`)
  }
  return rows.flatMap(({ states, triggers, outcome }) =>
    states.split(',').flatMap((state) => triggers.split(',').map((trigger) => ({ state, trigger, outcome }))),
  )
}

async function whatHappens<S>(lifecycle: Lifecycle<S>, { state, trigger }: Row): Promise<string> {
  const sandbox = createSandbox(lifecycle.dunning && { dunning: lifecycle.dunning })
  const subject = await lifecycle.states[state]?.(sandbox)
  const before = await sandbox.snapshot()
  const refused = await refusalOf(lifecycle.triggers[trigger]?.(sandbox, subject as S))
  const after = await sandbox.snapshot()
  assert.equal(checkInvariants(after), [])
  const isSame = changing(before) === changing(after)
  const next = isSame ? 'same' : await lifecycle.stateOf(sandbox, subject as S)
  const told = (await sandbox.events()).slice(before.records.events.length)
  const lines = isSame ? [] : [told.map(shortType).join(' ') || 'silent', `leaves ${leftIn(after)}`]
  return [`${next}${refused === '' ? '' : ` ! ${refused}`}`, ...lines].join('\n')
}

// The counter of declines is not part of any lifecycle.
function changing({ records: { traceless_declines: _, ...records } }: Snapshot): string {
  return JSON.stringify(records)
}

async function refusalOf(work: Promise<unknown> | undefined): Promise<string> {
  try {
    await work
    return ''
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return [error.code, error.details.decline_code ?? ''].join(' ').trim()
  }
}

/** Returns the type of an event with the id prefix of its object as name, such as `in.paid`. */
export function shortType({ type }: Pick<Event, 'type'>): string {
  const [object, verb] = type.split('.')
  return `${findResourceByObjectName(object)?.idPrefix.slice(0, -1)}.${verb}`
}

/** Returns every object except customers, sessions and events, such as `pm sub:active in:paid py:succeeded`. */
function leftIn({ records }: Snapshot): string {
  const withStatus = (short: string, found: readonly { status: string }[]) =>
    found.map(({ status }) => `${short}:${status}`).sort()
  const left = [
    ...records.payment_methods.map(({ customer }) => (customer === null ? 'pm:detached' : 'pm')),
    ...withStatus('sub', records.subscriptions),
    ...withStatus('in', records.invoices),
    ...withStatus('py', records.payments),
    ...withStatus('re', records.refunds),
    ...withStatus('dp', records.disputes),
    ...records.authentications.map(() => 'wait'),
    ...records.timers.map(() => 'timer'),
  ]
  return left.join(' ') || 'nothing'
}
