import type { DeletedTestClock, TestClock } from '../../domain/test-clocks.ts'
import {
  type Exactly,
  group,
  head,
  moment,
  oneOf,
  only,
  orNull,
  reference,
  resource,
  words,
} from './fields.ts'

const details: Exactly<TestClock['status_details']> = group(
  {
    advancing: orNull(
      group({ target_frozen_time: moment('Where to.') }, 'The move it is making; null when it makes none.'),
    ),
  },
  'What its state does not say.',
)

/** A test clock as answers show it. */
export const testClock = resource<TestClock>(
  'test_clock',
  'A time of their own for the customers on it, which only moves when it is advanced.',
  {
    ...head('test_clock', 'clock'),
    name: orNull(words('Your own name for it.')),
    frozen_time: moment('Where it stands.'),
    status: oneOf(
      ['ready', 'advancing', 'deleting', 'internal_failure'],
      'Whether it stands, moves, goes with all that is on it, or broke on something that was due.',
    ),
    status_details: details,
  },
)

/** What is left of a test clock that was deleted. */
export const deletedTestClock = resource<DeletedTestClock>(
  'deleted_test_clock',
  'What deleting a test clock answers.',
  {
    id: reference('The id the clock had.'),
    object: only('test_clock', 'The kind of object.'),
    deleted: only(true, 'Always true.'),
  },
)
