import {
  DAY_SECONDS,
  getVisibleWindow,
  getXOfTime,
  listAxisTicks,
  snapTime,
} from '../../../../src/dashboard/screens/clocks/time-scale.ts'
import { assert, suite } from '../../../support/suite.ts'

const test = suite('dashboard time scale')

const NOW = Date.UTC(2026, 2, 12, 8) / 1000
const FIT = { zoom: 'fit', now: NOW, target: NOW, first: null, next: null, from: null } as const

test('with the zoom fit, the future gets as much space as the past', () => {
  const { start, end } = getVisibleWindow({ ...FIT, first: NOW - 100 * DAY_SECONDS })
  assert.is(end - NOW, NOW - start)
  assert.ok(start < NOW - 100 * DAY_SECONDS)
})

test('the zoom fit includes the next event and the target, even years ahead', () => {
  assert.ok(getVisibleWindow({ ...FIT, next: NOW + 365 * DAY_SECONDS }).end > NOW + 365 * DAY_SECONDS)
  assert.ok(getVisibleWindow({ ...FIT, target: NOW + 3650 * DAY_SECONDS }).end > NOW + 3650 * DAY_SECONDS)
})

test('shows a window of the selected length around now, or from the start that the user selected', () => {
  const month = getVisibleWindow({ ...FIT, zoom: 'month' })
  assert.is(month.end - month.start, 31 * DAY_SECONDS)
  assert.ok(month.start < NOW && NOW < month.end)
  assert.is(getVisibleWindow({ ...FIT, zoom: 'day', from: 5000 }).start, 5000)
})

test('moves the window to a target outside of the window around now', () => {
  const { start, end } = getVisibleWindow({ ...FIT, zoom: 'day', target: NOW + 10 * DAY_SECONDS })
  assert.is(end - start, DAY_SECONDS)
  assert.ok(start < NOW + 10 * DAY_SECONDS && NOW + 10 * DAY_SECONDS < end)
})

test('returns the position of a time', () => {
  const scale = { start: 1000, end: 3000, width: 500 }
  assert.is(getXOfTime(2000, scale), 250)
})

test('snaps to the nearest event, otherwise to whole days after now, and never before now', () => {
  const scale = { start: NOW, end: NOW + 100 * DAY_SECONDS, width: 1000 }
  const options = { now: NOW, events: [NOW + 30 * DAY_SECONDS + 5, NOW + 30 * DAY_SECONDS + DAY_SECONDS / 2] }
  assert.is(snapTime(300, scale, options), NOW + 30 * DAY_SECONDS + 5)
  assert.is(snapTime(517, scale, options), NOW + 52 * DAY_SECONDS)
  assert.is(snapTime(-50, scale, options), NOW)
})

test('snaps to hours in a short window', () => {
  const scale = { start: NOW, end: NOW + DAY_SECONDS, width: 1000 }
  assert.is(snapTime(125, scale, { now: NOW, events: [] }), NOW + 3 * 3600)
})

test('places ticks at round times that are far enough apart', () => {
  const labels = (start: string, end: string, width: number) =>
    listAxisTicks({ start: Date.parse(start) / 1000, end: Date.parse(end) / 1000, width }).map(
      ({ label }) => label,
    )
  assert.equal(labels('2026-01-01', '2026-01-08', 700), [
    '2026-01-01',
    '2026-01-02',
    '2026-01-03',
    '2026-01-04',
    '2026-01-05',
    '2026-01-06',
    '2026-01-07',
    '2026-01-08',
  ])
  assert.equal(labels('2026-01-15', '2026-06-15', 600), [
    '2026-02',
    '2026-03',
    '2026-04',
    '2026-05',
    '2026-06',
  ])
  assert.equal(labels('2026-01-01T05:00:00Z', '2026-01-02T01:00:00Z', 500), [
    '06:00',
    '12:00',
    '18:00',
    '2026-01-02',
  ])
  assert.equal(labels('2020-06-01', '2036-06-01', 400), ['2025', '2030', '2035'])
  assert.equal(labels('2026-01-01', '2026-01-08', 0), [])
})

test.run()
