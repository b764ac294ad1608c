/** Creates a queue that runs one task at a time and yields to the event loop before each task. */
export function createYieldingQueue(
  yieldToEventLoop: () => Promise<void>,
): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const own = last.then(yieldToEventLoop).then(task)
    last = own.catch(() => {})
    return own
  }
}
