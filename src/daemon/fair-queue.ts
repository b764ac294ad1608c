/**
 * Creates a queue that runs one task at a time and asks `yieldToEventLoop` before each, so that many tasks that become ready at
 * once do not hold up the event loop.
 */
export function createFairQueue(
  yieldToEventLoop: () => Promise<void>,
): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const own = last.then(yieldToEventLoop).then(task)
    last = own.catch(() => {})
    return own
  }
}
