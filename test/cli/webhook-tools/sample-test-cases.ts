import { createSampleEvent } from '../../../src/cli/webhook-tools/handler-check.ts'
import { createHandlerTestCases, type HandlerTestCase } from '../../../src/webhooks/handler-test-cases.ts'

/** The signing secret of the sample test cases. */
export const SECRET = `whsec_${Buffer.alloc(24, 'shop').toString('base64')}`

/** Creates the deliveries of `webhooks check` for a handler; `now` is in Unix seconds. */
export function createSampleTestCases(url: string, now: number): HandlerTestCase[] {
  let ids = 0
  const newId = () => {
    ids += 1
    return `evt_${ids}`
  }
  return createHandlerTestCases({ url, secret: SECRET, event: createSampleEvent(now), newId, now })
}
