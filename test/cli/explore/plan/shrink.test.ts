import type { FaultSchedule } from '../../../../src/cli/explore/model/schedule.ts'
import { shrinkSchedule } from '../../../../src/cli/explore/plan/shrink.ts'
import { assert, suite } from '../../../support/suite.ts'
import { DUPLICATE, FORGED, KILLED, LOST_RESPONSE, scheduleOf } from '../sample-runs.ts'

const test = suite('cli/explore/shrink')

const has = (schedule: FaultSchedule, name: string) => schedule.some(({ fault }) => fault === name)

test('removes the faults that are not required for the failure', async () => {
  const isFailing = async (schedule: FaultSchedule) => has(schedule, 'duplicate')
  assert.equal(await shrinkSchedule(scheduleOf(LOST_RESPONSE, FORGED, DUPLICATE), isFailing), [DUPLICATE])
})

test('tries the first of many faults alone before it halves them', async () => {
  const tried: FaultSchedule[] = []
  const isFailing = async (schedule: FaultSchedule) => {
    tried.push(schedule)
    return schedule.some(({ fault }) => fault === 'duplicate')
  }
  assert.equal(await shrinkSchedule([DUPLICATE, LOST_RESPONSE, FORGED, KILLED], isFailing), [DUPLICATE])
  assert.equal(tried, [[DUPLICATE]])
})

test('keeps both faults when neither fails alone', async () => {
  const isFailing = async (schedule: FaultSchedule) =>
    has(schedule, 'duplicate') && has(schedule, 'drop_response')
  const pair = scheduleOf(LOST_RESPONSE, DUPLICATE)
  assert.equal(await shrinkSchedule(pair, isFailing), pair)
})

test('simplifies options that are not required for the failure', async () => {
  const concurrent = { ...DUPLICATE, options: { copies: 5, order: 'concurrent' } as const }
  assert.equal(await shrinkSchedule([concurrent], async () => true), [DUPLICATE])
  const isRace = async ([fault]: FaultSchedule) => fault?.options.order === 'concurrent'
  assert.equal(await shrinkSchedule([concurrent], isRace), [concurrent])
})

test('replaces a fault on a delivery by a late or dropped attempt if the run still fails', async () => {
  const late = { fault: 'hold', at: DUPLICATE.at, options: {} } as const
  assert.equal(await shrinkSchedule([FORGED], async () => true), [late])
  assert.equal(await shrinkSchedule([{ ...KILLED, at: DUPLICATE.at }], async () => true), [late])
  const isLost = async (schedule: FaultSchedule) => !has(schedule, 'hold')
  assert.equal(await shrinkSchedule([FORGED], isLost), [{ ...late, fault: 'drop_attempt' }])
  const isForged = async (schedule: FaultSchedule) => has(schedule, 'bad_signature')
  assert.equal(await shrinkSchedule([FORGED], isForged), [FORGED])
})

test('finds the only relevant fault among many faults in few tries', async () => {
  const many = Array.from({ length: 32 }, (_, index) => ({
    ...DUPLICATE,
    at: { kind: 'delivery', event_type: 'payment.succeeded', occurrence: index + 1 } as const,
  }))
  let tries = 0
  const isFailing = async (schedule: FaultSchedule) => {
    tries += 1
    return schedule.some(({ at }) => at.occurrence === 23)
  }
  assert.equal(await shrinkSchedule(many, isFailing), many.slice(22, 23))
  assert.ok(tries <= 10, String(tries))
  const needsTwo = async (schedule: FaultSchedule) =>
    [3, 4].every((wanted) => schedule.some(({ at }) => at.occurrence === wanted))
  assert.equal(await shrinkSchedule(many.slice(0, 8), needsTwo), many.slice(2, 4))
})

test('stops after a limited number of tries', async () => {
  let tries = 0
  const isFailing = async () => {
    tries += 1
    return false
  }
  const schedule = Array.from({ length: 30 }, () => LOST_RESPONSE)
  assert.is((await shrinkSchedule(schedule, isFailing)).length, 30)
  assert.is(tries, 24)
})

test.run()
