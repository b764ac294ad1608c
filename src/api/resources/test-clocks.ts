import type { TestClock } from '../../domain/test-clocks.ts'
import { type Exactly, nullable, object, oneOf, text, timestamp } from './fields.ts'
import { defineResource, deletedObject } from './resource.ts'

const details: Exactly<TestClock['status_details']> = object(
  {
    advancing: nullable(
      object(
        { target_frozen_time: timestamp('The time to which the clock advances.') },
        'The running advance; null if the clock is not advancing.',
      ),
    ),
  },
  'Details of the status.',
)

/** The test clock resource. */
export const testClock = defineResource('test_clocks', {
  name: nullable(text('Your own name for the clock; null if none was given.')),
  frozen_time: timestamp('The time on the clock.'),
  status: oneOf(
    ['ready', 'advancing', 'deleting', 'internal_failure'],
    'Whether the clock can be advanced, is advancing, is being deleted with its customers, or failed while a job was due.',
  ),
  status_details: details,
})

/** The schema of a deleted test clock. */
export const deletedTestClock = deletedObject('test_clock', 'The result of deleting a test clock.')
